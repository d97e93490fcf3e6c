/**
 * The moves of a handoff that is there: accept, decline, more context, commit, cancel. Each is the message that MACP has
 * for it, through the same rules as at its doors; only the words of a refusal are this desk's.
 */
import {
  Control,
  type Rejection,
  RejectionCode,
  reject,
  type SessionState,
  SessionStatus,
  settlementOf,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { modeFlaw, rateFlaw, submit } from './admit.js';
import type { DeskParts } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffIn, handoffNotFound } from './find-handoff.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { derivedId, requestId } from './ids.js';
import { type Message, message } from './messages.js';
import { moveRefusal, notPending } from './move-refusal.js';
import type { HandoffDesk, HandoffView, Outcome } from './types.js';
import { keyCheck, reasonCheck, refuse } from './validate.js';

type Args<M extends keyof HandoffDesk> = Parameters<HandoffDesk[M]>[1];
type Moved = Promise<Outcome<HandoffView>>;

export class HandoffMoves {
  readonly #parts: DeskParts;
  readonly #texts: HandoffTextReader;

  constructor(parts: DeskParts, texts: HandoffTextReader) {
    this.#parts = parts;
    this.#texts = texts;
  }

  accept(who: Principal, args: Args<'acceptHandoff'>): Moved {
    return this.#move(who, 'acceptHandoff', args, (to, { offer }) =>
      message(this.#parts, to, 'HandoffAccept', {
        ...{ handoffId: offer.handoffId, acceptedBy: who.agent, reason: args.reason ?? '', implicit: false },
      }),
    );
  }

  decline(who: Principal, args: Args<'declineHandoff'>): Moved {
    return this.#move(who, 'declineHandoff', args, (to, { offer }) =>
      message(this.#parts, to, 'HandoffDecline', {
        ...{ handoffId: offer.handoffId, declinedBy: who.agent, reason: args.reason ?? '' },
      }),
    );
  }

  async sendContext(who: Principal, args: Args<'sendHandoffContext'>): Moved {
    const { contentType, content, encoding = 'utf8' } = args;
    const context = encoding === 'base64' ? this.#parts.codec.fromBase64(content) : Buffer.from(content);
    const rejection = refuse(
      ['content', context ? undefined : 'is not base64'],
      reasonCheck('contentType', contentType),
      ['contentType', contentType === '' ? 'is empty' : undefined],
    );
    if (rejection || !context) return { rejection: rejection ?? NOTHING };
    return this.#move(who, 'sendHandoffContext', args, (to, { offer }) =>
      message(this.#parts, to, 'HandoffContext', { handoffId: offer.handoffId, contentType, context }),
    );
  }

  commit(who: Principal, args: Args<'commitHandoff'>): Moved {
    return this.#move(who, 'commitHandoff', args, async (to, found) => {
      const { scope } = await this.#texts.read(found);
      const { session, offer } = found;
      const usual = settlementOf(session, offer, scope === '' ? 'handoff' : scope);
      return message(this.#parts, to, 'Commitment', {
        commitmentId: to.messageId,
        action: args.action ?? usual.action,
        authorityScope: args.authorityScope ?? usual.authorityScope,
        reason: args.reason ?? usual.reason,
        outcomePositive: args.outcomePositive ?? usual.outcomePositive,
        modeVersion: session.modeVersion,
        configurationVersion: session.configurationVersion,
        policyVersion: session.policy.policyId,
      });
    });
  }

  async cancel(who: Principal, args: Args<'cancelHandoff'>): Moved {
    const found = await this.#admitted(who, args);
    if ('rejection' in found) return found;
    const command = { kind: 'control', control: Control.Cancel, reason: args.reason ?? '' };
    const submission = { agent: who.agent, steps: [{ stream: found.ref, command }], bytes: 512 };
    const answer = await submit(this.#parts, who, 'cancelHandoff', submission);
    if (!answer.ok) return { rejection: answer.rejection };
    const [result] = answer.results;
    const now = handoffIn(found, result?.state as SessionState);
    const cancelled = (result?.entries.length ?? 0) > 0;
    // Cancelling again is true already; cancelling what ended otherwise is not.
    if (!cancelled && now.session.status !== SessionStatus.Cancelled)
      return { rejection: notPending(args.handoffId, now) };
    if (cancelled) this.#parts.audit.cancelled({ actor: who, sessionId: found.ref.id });
    const value = await viewHandoff(this.#texts, who, now);
    return cancelled ? { value } : { value, replayed: true };
  }

  async #move(
    who: Principal,
    tool: string,
    args: { readonly handoffId: string; readonly idempotencyKey?: string; readonly reason?: string },
    make: (to: Parameters<typeof message>[1], found: FoundHandoff) => Message | Promise<Message>,
  ): Moved {
    const found = await this.#admitted(who, args);
    if ('rejection' in found) return found;
    const messageId = this.#messageId(who, tool, args, found);
    const made = await make({ session: found.ref, sender: who.agent, messageId }, found);
    if (made.flaw) return { rejection: made.flaw };
    const submission = { agent: who.agent, steps: [made], bytes: made.bytes };
    const answer = await submit(this.#parts, who, tool, submission);
    if (!answer.ok)
      return { rejection: await moveRefusal(this.#parts, who, tool, args.handoffId, answer.rejection) };
    const [result] = answer.results;
    const value = await viewHandoff(this.#texts, who, handoffIn(found, result?.state as SessionState));
    return result?.decision.kind === 'duplicate' ? { value, replayed: true } : { value };
  }

  async #admitted(
    who: Principal,
    args: { readonly handoffId: string; readonly idempotencyKey?: string; readonly reason?: string },
  ): Promise<FoundHandoff | { readonly rejection: Rejection }> {
    const flaw =
      refuse(keyCheck(args.idempotencyKey), reasonCheck('reason', args.reason)) ??
      modeFlaw(who) ??
      rateFlaw(this.#parts, who);
    if (flaw) return { rejection: flaw };
    const found = await findHandoff(this.#parts, who, args.handoffId);
    return found ?? { rejection: handoffNotFound(args.handoffId) };
  }

  /** An answer and a Commitment are given once: even without a key, the same words again are the same message. */
  #messageId(
    who: Principal,
    tool: string,
    { idempotencyKey }: { readonly idempotencyKey?: string },
    { ref, offer }: FoundHandoff,
  ): string {
    const { codec } = this.#parts;
    if (idempotencyKey !== undefined || tool === 'sendHandoffContext')
      return requestId(who, tool, idempotencyKey, codec);
    return derivedId([who.tenant, who.agent, tool, ref.id, offer.handoffId], codec);
  }
}

const NOTHING = reject(RejectionCode.VALIDATION_ERROR, 'content cannot be read');
