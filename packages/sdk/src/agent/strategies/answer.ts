/** Ready-made behaviour of a target. */

import { given, validateFunction, validateTexts } from '../../arguments.js';
import { INVALID_ENVELOPE, SESSION_NOT_OPEN } from '../../error-codes.js';
import { MacpAckError } from '../../errors.js';
import type { HandoffRecord } from '../../handoff/records.js';
import type { HandlerContext } from '../handlers.js';
import type { Strategy } from '../participant.js';

/** Declines while busy; install it before a strategy that accepts. */
export function declineWhenBusy(
  isBusy: () => boolean | Promise<boolean>,
  options: { readonly reason?: string } = {},
): Strategy {
  validateFunction('isBusy', isBusy);
  validateTexts({ reason: given('options', options).reason });
  return {
    install(participant) {
      participant.on('HandoffOffer', async ({ payload }, context) => {
        const handoff = waiting(payload.handoffId, context);
        if (handoff && (await isBusy()))
          await answer('decline', handoff.handoffId, options.reason ?? 'busy', context);
      });
    },
  };
}

/** The offer, while it waits for an answer of this agent. */
export function waiting(
  handoffId: string,
  { projection, actions, participant }: HandlerContext,
): HandoffRecord | undefined {
  const handoff = projection.getHandoff(handoffId);
  if (handoff?.targetParticipant !== participant.participantId) return undefined;
  return handoff.disposition === 'offered' && !actions.hasAnswered(handoffId) ? handoff : undefined;
}

export async function answer(
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
