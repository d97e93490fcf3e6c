/**
 * Ready-made behaviour of an owner: offer to one target after another until somebody takes over.
 *
 * The runtime notices silence, not the agent: a clock in an agent stops with the agent, and an offer cannot be taken
 * back. So the session's policy must decline in a silent target's name, and the strategy refuses any other policy.
 */
import { HANDOVER_RULES } from '@handover/core';
import { given, validateFlag, validateFunction, validateTexts } from '../../arguments.js';
import { validatePolicy } from '../../client/descriptors.js';
import type { PolicyDescriptor } from '../../client/types.js';
import { MacpSessionError, MacpUnsupportedError } from '../../errors.js';
import { implicitDeclineTimeoutOf } from '../../policy/handoff-policy.js';
import { validateParticipants } from '../../validation.js';
import type { HandlerContext } from '../handlers.js';
import type { Participant, Strategy } from '../participant.js';
import { unlessMovedOn } from './answer.js';

/** Whom to ask, in which order, and for what. */
export interface EscalationOptions {
  /** Whom to ask, in this order. */
  readonly targets: readonly string[];
  /** The policy that the session is bound to. */
  readonly policy: PolicyDescriptor;
  /** What is handed over. */
  readonly scope?: string;
  /** Why; shown to each target. */
  readonly reason?: string;
  /** Context for each target; it must be the same when asked again. */
  readonly context?: (target: string) => { readonly contentType: string; readonly context: Uint8Array };
  /** Handoff ids are this and a number; `escalation` by default. */
  readonly handoffIdPrefix?: string;
  /** False leaves the Commitment to the caller. */
  readonly commit?: boolean;
}

/** Offers to the next target when one declines or stays silent, and commits the outcome. */
export function escalate(options: EscalationOptions): Strategy {
  const { targets, policy, scope, reason, context, handoffIdPrefix, commit } = given('options', options);
  validateParticipants(targets, 'targets');
  validatePolicy('policy', policy);
  validateTexts({ scope, reason, handoffIdPrefix });
  if (context !== undefined) validateFunction('context', context);
  validateFlag('commit', commit);
  if (implicitDeclineTimeoutOf(policy) === 0)
    throw new MacpSessionError(
      `policy "${policy.policyId}" has no x-handover.rules.implicit_decline_timeout_ms: a silent target would block the session`,
      'policy',
    );
  const strategy = new Escalation(options);
  return { install: (participant) => strategy.install(participant) };
}

/** A runtime that does not know the rule would let a silent target block the session. */
async function rulesAreKnown({ session }: Participant): Promise<void> {
  const { policyRegistry } = await session.client.capabilities();
  if (policyRegistry.ruleExtensions.includes(HANDOVER_RULES)) return;
  throw new MacpUnsupportedError(
    `the runtime does not know the rule extension ${HANDOVER_RULES}: nobody would decline for a silent target`,
  );
}

class Escalation {
  readonly #options: EscalationOptions;
  readonly #ids: readonly string[];

  constructor(options: EscalationOptions) {
    const { targets, handoffIdPrefix = 'escalation' } = options;
    this.#options = options;
    this.#ids = targets.map((_, index) => `${handoffIdPrefix}-${index + 1}`);
  }

  install(participant: Participant): void {
    const { policyId } = this.#options.policy;
    if (participant.session.policyVersion !== policyId)
      throw new MacpSessionError(`policyVersion of the participant must be "${policyId}"`, 'policyVersion');
    const mine = ({ projection }: HandlerContext) =>
      projection.transcript[0]?.sender === participant.participantId;
    participant
      .on('SessionStart', async (_, context) => {
        if (!mine(context)) return;
        await rulesAreKnown(participant);
        await this.#offer(0, context);
      })
      .on('HandoffDecline', ({ payload }, context) => {
        const index = this.#ids.indexOf(payload.handoffId);
        return mine(context) && index >= 0 ? this.#offer(index + 1, context) : undefined;
      })
      .on('HandoffAccept', ({ payload }, context) =>
        mine(context) && this.#ids.includes(payload.handoffId) ? this.#commit(context) : undefined,
      );
  }

  async #offer(index: number, context: HandlerContext): Promise<void> {
    const targetParticipant = this.#options.targets[index];
    const handoffId = this.#ids[index];
    if (targetParticipant === undefined || handoffId === undefined) return this.#commit(context);
    const { scope = '', reason = '' } = this.#options;
    const { actions, log } = context;
    const messageId = `offer:${handoffId}`;
    const attached = this.#options.context?.(targetParticipant);
    await unlessMovedOn(async () => {
      await actions.offer({ handoffId, targetParticipant, scope, reason, messageId });
      if (attached) await actions.sendContext({ handoffId, ...attached, messageId: `context:${handoffId}` });
    }, log);
  }

  async #commit({ actions, log, session }: HandlerContext): Promise<void> {
    if (this.#options.commit === false) return;
    const ids = { messageId: `commit:${session.sessionId}`, commitmentId: `commit:${session.sessionId}` };
    await unlessMovedOn(() => actions.commit(ids), log);
  }
}
