/**
 * The moves of an existing handoff: accept, decline, more context, commit, cancel. Each move submits what MACP has for
 * it, under the same rules as at the MACP doors. Only the wording of a refusal differs.
 */
import {
  Control,
  corePayloads,
  handoffPayloads,
  type Rejection,
  RequestType,
  SessionStatus,
  type Step,
  settlementOf,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS, type HandoffTool } from '../quotas.js';
import { answerFlaw, countIdle } from '../rate-flaw.js';
import { modeFlaw, submit } from './admit.js';
import { type AskedEnd, wasAnswered } from './answered-before.js';
import { withName } from './content-type.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { type FoundHandoff, findHandoff, handoffIn, handoffNotFound } from './find-handoff.js';
import { phaseOf } from './handoff-phase.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { derivedId, formatHandoffId, requestId, shownId } from './ids.js';
import { type Message, message } from './messages.js';
import { isAboutState, moveRefusal, notPending, whoMay } from './move-refusal.js';
import { noteSteps } from './notes.js';
import type { HandoffService, HandoffView } from './types.js';
import { withdrawLeft } from './withdraw.js';
import { worklogRef } from './worklogs.js';

type Args<M extends keyof HandoffService> = Parameters<HandoffService[M]>[1];
type Moved = Promise<Outcome<HandoffView>>;
type MoveArgs = {
  readonly handoffId: string;
  readonly idempotencyKey?: string;
  readonly reason?: string;
  readonly shown?: true;
};

export class HandoffMoves {
  readonly #deps: HandoffDependencies;
  readonly #texts: HandoffTextReader;

  constructor(deps: HandoffDependencies, texts: HandoffTextReader) {
    this.#deps = deps;
    this.#texts = texts;
  }

  accept(principal: Principal, args: Args<'acceptHandoff'>): Moved {
    return this.#move(
      principal,
      'acceptHandoff',
      args,
      (to, { offer }) =>
        message(this.#deps, to, handoffPayloads.HandoffAccept, {
          handoffId: offer.handoffId,
          acceptedBy: principal.agent,
          reason: args.reason ?? '',
          implicit: false,
        }),
      (found) => this.#noteIn(principal, found),
    );
  }

  decline(principal: Principal, args: Args<'declineHandoff'>): Moved {
    return this.#move(principal, 'declineHandoff', args, (to, { offer }) =>
      message(this.#deps, to, handoffPayloads.HandoffDecline, {
        handoffId: offer.handoffId,
        declinedBy: principal.agent,
        reason: args.reason ?? '',
      }),
    );
  }

  async sendContext(principal: Principal, args: Args<'sendHandoffContext'>): Moved {
    const { contentType, content, name, encoding = 'utf8' } = args;
    const context = encoding === 'base64' ? this.#deps.codec.fromBase64(content) : Buffer.from(content);
    if (!context) return { rejection: fieldFlaw('content', 'is not base64') };
    return this.#move(principal, 'sendHandoffContext', args, (to, { offer }) =>
      message(this.#deps, to, handoffPayloads.HandoffContext, {
        handoffId: offer.handoffId,
        contentType: withName(contentType, name),
        context,
      }),
    );
  }

  commit(principal: Principal, args: Args<'commitHandoff'>): Moved {
    return this.#move(principal, 'commitHandoff', args, async (to, found) => {
      const { scope } = await this.#texts.read(found);
      const { session, offer } = found;
      const usual = settlementOf(session, offer, scope === '' ? 'handoff' : scope);
      return message(this.#deps, to, corePayloads.Commitment, {
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

  async cancel(principal: Principal, args: Args<'cancelHandoff'>): Moved {
    const admitted = await this.#admitted(principal, 'cancelHandoff', args);
    if ('rejection' in admitted) return admitted;
    const { value: found } = admitted;
    const command = { kind: 'control', control: Control.Cancel, reason: args.reason ?? '' } as const;
    const answer = await submit(this.#deps, principal, 'cancelHandoff', {
      agent: principal.agent,
      steps: [{ stream: found.ref, command }],
      bytes: 512,
    });
    if (!answer.ok) return { rejection: answer.rejection };
    const [result] = answer.results;
    const now = handoffIn(found, result.state);
    const cancelled = result.entries.length > 0;
    // An instruction of its owner may have outlived an offer whose time was over.
    if (!cancelled && now.session.status === SessionStatus.Expired)
      return this.#cancelLeft(principal, args, now);
    // Cancelling a cancelled handoff succeeds; cancelling one that ended otherwise is refused.
    if (!cancelled && now.session.status !== SessionStatus.Cancelled)
      return { rejection: notPending(await viewHandoff(this.#texts, principal, now), now.session) };
    if (cancelled) this.#deps.audit.cancelled({ actor: principal, sessionId: found.ref.id });
    const value = await viewHandoff(this.#texts, principal, now);
    return cancelled ? { value } : { value, replayed: true };
  }

  async #cancelLeft(principal: Principal, args: Args<'cancelHandoff'>, now: FoundHandoff): Moved {
    const withdrawn = await withdrawLeft(this.#deps, principal, now, args.reason);
    if (!withdrawn)
      return { rejection: notPending(await viewHandoff(this.#texts, principal, now), now.session) };
    if ('rejection' in withdrawn) return withdrawn;
    return { ...withdrawn, value: await viewHandoff(this.#texts, principal, now) };
  }

  /** A note goes into the work that it is about with its acceptance: both, or neither. */
  #noteIn(principal: Principal, found: FoundHandoff): Promise<readonly Step<'worklog'>[]> | undefined {
    const { session, offer } = found;
    const isCopy = session.binding?.requestType === RequestType.ContextTransfer;
    const isAnswered = phaseOf(found) !== 'offered' || offer.target !== principal.agent;
    return isCopy && !isAnswered ? this.#noteOf(principal, found) : undefined;
  }

  async #noteOf(
    principal: Principal,
    { session, offer, ref }: FoundHandoff,
  ): Promise<readonly Step<'worklog'>[]> {
    const key = session.binding?.worklog ?? '';
    const note = (await this.#deps.engine.query(worklogRef(principal.tenant, key)))?.state;
    const handoffId = formatHandoffId(ref.id, offer.handoffId);
    // The first of the contexts is the package.
    const attachments = offer.contexts + offer.lateContexts - 1;
    return noteSteps(this.#deps, principal, note, { handoffId, attachments });
  }

  async #move(
    principal: Principal,
    tool: HandoffTool,
    args: MoveArgs & AskedEnd,
    make: (to: Parameters<typeof message>[1], found: FoundHandoff) => Message | Promise<Message>,
    besides?: (found: FoundHandoff) => Promise<readonly Step<'worklog'>[]> | undefined,
  ): Moved {
    const admitted = await this.#admitted(principal, tool, args);
    if ('rejection' in admitted) return admitted;
    const { value: found } = admitted;
    const id = this.#messageId(principal, tool, args, found);
    const messageId = args.shown ? shownId(id) : id;
    const made = await make({ session: found.ref, sender: principal.agent, messageId }, found);
    if (made.flaw) return { rejection: made.flaw };
    const more = besides?.(found);
    const beside = more ? await more : [];
    const answer = await submit(this.#deps, principal, tool, {
      agent: principal.agent,
      steps: [made, ...beside],
      bytes: made.bytes,
    });
    if (!answer.ok) return this.#refused(principal, tool, args, answer.rejection);
    const [result] = answer.results;
    const value = await viewHandoff(this.#texts, principal, handoffIn(found, result.state));
    return result.decision.kind === 'duplicate' ? { value, replayed: true } : { value };
  }

  async #refused(
    principal: Principal,
    tool: HandoffTool,
    args: MoveArgs & AskedEnd,
    rejection: Rejection,
  ): Moved {
    const now = await findHandoff(this.#deps, principal, args.handoffId);
    // Other refusals do not depend on what has become of the handoff.
    if (!isAboutState(rejection)) return { rejection: whoMay(principal, tool, now, rejection) };
    if (!now) return { rejection: handoffNotFound(args.handoffId) };
    const value = await viewHandoff(this.#texts, principal, now);
    if (await wasAnswered(this.#deps, principal, tool, args, now)) return { value, replayed: true };
    return { rejection: moveRefusal(tool, now, value, rejection) };
  }

  async #admitted(principal: Principal, tool: HandoffTool, args: MoveArgs): Promise<Outcome<FoundHandoff>> {
    const quota = HANDOFF_QUOTAS[tool];
    const flaw = modeFlaw(principal) ?? answerFlaw(this.#deps, principal, quota);
    if (flaw) return { rejection: flaw };
    const found = await findHandoff(this.#deps, principal, args.handoffId);
    if (found) return { value: found };
    countIdle(this.#deps, principal, quota);
    return { rejection: handoffNotFound(args.handoffId) };
  }

  /** An answer and a Commitment are given once. Even without a key, a repeated call has the same message id. */
  #messageId(
    principal: Principal,
    tool: string,
    { idempotencyKey }: { readonly idempotencyKey?: string },
    { ref, offer }: FoundHandoff,
  ): string {
    const { codec } = this.#deps;
    if (idempotencyKey !== undefined || tool === 'sendHandoffContext')
      return requestId(principal, tool, idempotencyKey, codec);
    return derivedId([principal.tenant, principal.agent, tool, ref.id, offer.handoffId], codec);
  }
}
