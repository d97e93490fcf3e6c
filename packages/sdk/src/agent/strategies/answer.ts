/** Ready-made behaviour of a target. */
import { INVALID_ENVELOPE, SESSION_NOT_OPEN } from '../../error-codes.js';
import { MacpAckError } from '../../errors.js';
import type { HandoffContextRecord, HandoffRecord } from '../../handoff/records.js';
import type { HandlerContext } from '../handlers.js';
import type { Strategy } from '../participant.js';

/** What a predicate decides on. */
export interface OfferedHandoff {
  readonly handoff: HandoffRecord;
  /** The contexts that have come so far. */
  readonly contexts: readonly HandoffContextRecord[];
}

/** Says whether to take a handoff. */
export type HandoffPredicate = (offered: OfferedHandoff) => boolean | Promise<boolean>;

/** Details of `acceptWhen`. */
export interface AcceptOptions {
  readonly reason?: string;
  /** What to do when the predicate says no; `decline` by default, `ignore` leaves the answer to others. */
  readonly otherwise?: 'decline' | 'ignore';
  readonly declineReason?: string;
  /** True decides when the first context has come, not at the offer. */
  readonly afterContext?: boolean;
}

/** Accepts the handoffs to which a predicate says yes. */
export function acceptWhen(predicate: HandoffPredicate, options: AcceptOptions = {}): Strategy {
  const { reason = '', otherwise = 'decline', declineReason = '', afterContext = false } = options;
  return answering(afterContext ? 'HandoffContext' : 'HandoffOffer', async (offered, context) => {
    const { handoffId } = offered.handoff;
    if (await predicate(offered)) await answer('accept', handoffId, reason, context);
    else if (otherwise === 'decline') await answer('decline', handoffId, declineReason, context);
  });
}

/** Declines while busy; install it before a strategy that accepts. */
export function declineWhenBusy(
  isBusy: () => boolean | Promise<boolean>,
  options: { readonly reason?: string } = {},
): Strategy {
  return answering('HandoffOffer', async ({ handoff }, context) => {
    if (await isBusy()) await answer('decline', handoff.handoffId, options.reason ?? 'busy', context);
  });
}

function answering(
  messageType: 'HandoffOffer' | 'HandoffContext',
  decide: (offered: OfferedHandoff, context: HandlerContext) => Promise<void>,
): Strategy {
  return {
    install(participant) {
      participant.on(messageType, async ({ payload }, context) => {
        const { projection, actions } = context;
        const handoff = projection.getHandoff(payload.handoffId);
        if (handoff?.targetParticipant !== participant.participantId) return;
        if (handoff.disposition !== 'offered' || actions.hasAnswered(handoff.handoffId)) return;
        await decide({ handoff, contexts: projection.contexts.get(handoff.handoffId) ?? [] }, context);
      });
    },
  };
}

async function answer(
  verb: 'accept' | 'decline',
  handoffId: string,
  reason: string,
  { actions, participant, log }: HandlerContext,
): Promise<void> {
  // The id follows from the handoff: an agent that is started again repeats its answer instead of giving another.
  const messageId = `${verb}:${participant.participantId}:${handoffId}`;
  await unlessMovedOn(() => actions[verb]({ handoffId, reason, messageId }), log);
}

/** While the history is replayed, an answer may come too late; the stream then shows what happened instead. */
export async function unlessMovedOn(act: () => Promise<unknown>, log: HandlerContext['log']): Promise<void> {
  try {
    await act();
  } catch (error) {
    const late = error instanceof MacpAckError && [INVALID_ENVELOPE, SESSION_NOT_OPEN].includes(error.code);
    if (!late) throw error;
    log.info(`the session has moved on: ${error.message}`);
  }
}
