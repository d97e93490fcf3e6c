/**
 * Hands work over in one call: what its owner says, the instruction, and with a receiver the offer with its package, in one
 * submission. Without a working session it opens one.
 *
 * O1. Everything is stored, or nothing.
 * O2. The package goes up to what is said with it, and no entry comes between: whoever writes at the same moment makes it
 *     be put together again.
 * O3. With an idempotency key a retry answers as the first did, also when that opened the working session.
 * O4. What was offered to the same receiver before is withdrawn with it, and what was offered to a name that nobody ever had. An
 *     offer of the work to somebody else stands against it, and so does an acceptance that waits for its owner.
 */
import {
  ANYONE,
  acceptedOffer,
  digestOf,
  hasGivenAway,
  type JsonObject,
  named,
  offersOf,
  type PendingHandoff,
  type Rejection,
  RejectionCode,
  RequestType,
  rejectWith,
  type WorklogState,
} from '@handover/core';
import type { Answer } from '@handover/engine';
import { isRefusedName, REFUSED_NAMES_RULE } from '../../auth/agent-name.js';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Connection } from '../connection.js';
import type { Outcome } from '../outcome.js';
import { HANDOFF_QUOTAS } from '../quotas.js';
import { rateFlaw } from '../rate-flaw.js';
import { policiesRef, sessionRef } from '../stream-refs.js';
import { startFlaw, submit } from './admit.js';
import { commitChoice } from './commit-choice.js';
import type { SessionParts, Whereabouts } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { fieldFlaw } from './field-flaw.js';
import { gatherSession } from './gather-session.js';
import { fileEntry, type ReadAttachment, readAttachments } from './hand-off-attachments.js';
import { type HandedOff, handedOffBefore } from './hand-off-before.js';
import { messageEntry, type NewEntry, type SaidEntry, saidEntry } from './hand-off-entry.js';
import { type HandOffPlan, type HandOffSteps, handOffSteps } from './hand-off-steps.js';
import type { HandOffArgs, HandOffView } from './hand-off-types.js';
import { viewHandOff } from './hand-off-view.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { formatHandoffId, requestId } from './ids.js';
import { newSession } from './new-session.js';
import { otherWindow } from './other-window.js';
import { type WaitingWork, waitingWork } from './other-work.js';
import { replacedWork } from './replaced-goal.js';
import { preparationRefusal } from './request-handoff.js';
import { freeKey } from './session-key.js';
import { isShared } from './shared-work.js';
import { slipsOf } from './slips.js';
import { aboutSession } from './update-context.js';
import { type FoundWorklog, worklogRef } from './worklogs.js';

const TEXT_BYTES = fixedLimits.handOffTextBytes.value;
const DEFAULT_EXPIRES_SECS = 604_800;
/** Others may write at the same moment, but not for ever. */
const MOST_ATTEMPTS = 5;

/** What is asked, read once. */
interface Asked {
  readonly id: string;
  readonly requestDigest: string;
  readonly args: HandOffArgs;
  readonly said: SaidEntry | undefined;
  readonly attachments: readonly ReadAttachment[];
  /** Absent: whoever comes next. */
  readonly to?: string;
}

/** Where a window is, and what it does not mean although it is at it. */
interface Place extends Whereabouts {
  readonly waiting?: WaitingWork;
  /** Work of another, which that one alone hands over. */
  readonly shared?: FoundWorklog;
}

/** The working session, which may be a new one, and what it is about if it is only a note. */
interface PlannedPlace {
  readonly key: string;
  readonly state: WorklogState | undefined;
  readonly about: string | undefined;
  /** Offers of it to names that nobody ever had. */
  readonly slips: readonly PendingHandoff[];
}

type Handed = Promise<Outcome<HandOffView>>;
type HandOffAnswer = Answer<readonly ('worklog' | 'session')[]>;

export class HandOffs {
  readonly #deps: HandoffDependencies;
  readonly #parts: SessionParts;
  readonly #texts: HandoffTextReader;

  constructor(deps: HandoffDependencies, parts: SessionParts, texts: HandoffTextReader) {
    this.#deps = deps;
    this.#parts = parts;
    this.#texts = texts;
  }

  async handOff(principal: Principal, args: HandOffArgs, connection?: Connection): Handed {
    const flaw =
      startFlaw(principal) ??
      argumentFlaw(principal, args) ??
      rateFlaw(this.#deps, principal, HANDOFF_QUOTAS.handOff);
    if (flaw) return { rejection: flaw };
    const read = this.#asked(principal, args);
    if ('rejection' in read) return read;
    const asked = read.value;
    const before = await this.#before(principal, asked, connection);
    if (before) return before;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(principal, asked, connection, attempt);
      if (!('rejection' in outcome)) return outcome;
      // The same request was sent twice at once, and the other one was first.
      const first = await this.#before(principal, asked, connection);
      if (first) return first;
      if (attempt === MOST_ATTEMPTS || !isOvertaken(outcome.rejection)) return outcome;
    }
  }

  #asked(principal: Principal, args: HandOffArgs): Outcome<Asked> {
    const { codec } = this.#deps;
    const { to, meant, idempotencyKey, ...request } = args;
    const receiver = meant ?? to;
    const attachments = readAttachments(args.attachments ?? [], codec);
    if ('rejection' in attachments) return attachments;
    const said = saidEntry(args);
    if (said && said.bytes > TEXT_BYTES) {
      const message = `have ${said.bytes} bytes together; at most ${TEXT_BYTES} are allowed`;
      return { rejection: fieldFlaw('goal, next, open, decisions, tried, done, files and brief', message) };
    }
    const value = {
      id: requestId(principal, 'handOff', idempotencyKey, codec),
      requestDigest: digestOf({ ...request, to: to ?? null } as unknown as JsonObject, codec),
      args,
      said,
      attachments: attachments.value,
      ...(receiver !== undefined && receiver !== principal.agent && { to: receiver }),
    };
    return { value };
  }

  /** What the first request with the same key has made. */
  async #before(
    principal: Principal,
    { id, requestDigest, args }: Asked,
    connection: Connection | undefined,
  ): Promise<Outcome<HandOffView> | undefined> {
    const { idempotencyKey, sessionKey } = args;
    if (idempotencyKey === undefined) return undefined;
    const retried = { id, requestDigest, ...(sessionKey !== undefined && { sessionKey }) };
    const found = await handedOffBefore(this.#deps, this.#parts.current, principal, retried, connection);
    if (!found) return undefined;
    if ('code' in found) return { rejection: found };
    const value = await viewHandOff(this.#deps, this.#texts, { principal, connection }, found, args);
    return { value, replayed: true };
  }

  async #attempt(
    principal: Principal,
    asked: Asked,
    connection: Connection | undefined,
    attempt: number,
  ): Handed {
    const place = await this.#place(principal, asked, connection);
    if ('rejection' in place) return place;
    const { at: found } = place.value;
    const about = aboutOf(principal, asked, place.value);
    const key = found?.ref.id ?? (await freeKey(this.#deps, principal, connection, asked.id, attempt));
    const slips = await slipsOf(this.#deps, principal, connection, found, asked);
    const plan = await this.#plan(principal, asked, { key, state: found?.state, about, slips });
    if ('rejection' in plan) return plan;
    const made = await handOffSteps(this.#deps, principal, plan.value, connection);
    const flaw = messageFlaw(made, key);
    if (flaw) return { rejection: flaw };
    const answer = await this.#submit(principal, asked, made);
    if (!answer.ok) return { rejection: refusal(answer, made, key) };
    this.#noteReplaced(principal, plan.value);
    const gives = plan.value.offer && plan.value.requestType === RequestType.FullHandoff;
    if (about === undefined) this.#parts.current[gives ? 'noteOffered' : 'note'](principal, connection, key);
    const handed = handedOff(plan.value, answer, made);
    if (!handed) return this.#repeated(principal, asked, connection);
    const gathered = plan.value.gathered.gathered;
    const asking = { principal, connection };
    const value = await viewHandOff(this.#deps, this.#texts, asking, handed, asked.args, gathered);
    const other = otherWindow(found?.state, principal, connection, handed.anchor.at, this.#deps.directory);
    const replaced = await replacedWork(this.#deps, found, asked.args, handed.anchor.at, other !== undefined);
    const slip = plan.value.replaced.find((one) => slips.includes(one));
    const opened =
      found || about !== undefined ? undefined : newSession(place.value, connection, handed.anchor.at);
    return {
      value: {
        ...value,
        ...(other && { otherWindow: other }),
        ...(replaced && { replaced }),
        ...(slip && {
          replacedTarget: { was: slip.target, handoffId: formatHandoffId(slip.sessionId, slip.handoffId) },
        }),
        ...(opened && { newSession: opened }),
      },
    };
  }

  async #repeated(principal: Principal, asked: Asked, connection: Connection | undefined): Handed {
    const before = await this.#before(principal, asked, connection);
    if (!before) throw new Error('an accepted handoff is not in the log');
    return before;
  }

  /** The working session that it is about; none: a new one. */
  async #place(
    principal: Principal,
    { args, to }: Asked,
    connection: Connection | undefined,
  ): Promise<Outcome<Place>> {
    const { worklogs, current } = this.#parts;
    const { sessionKey, requestType } = args;
    if (sessionKey === undefined) {
      const where = await current.look(principal, connection);
      if (!where.at) return { value: where };
      if (isShared(where.at.state, principal.agent)) return { value: { shared: where.at } };
      const waiting = await waitingWork(this.#deps, where.at, { ...args, ...(to !== undefined && { to }) });
      return { value: waiting ? { waiting } : { at: where.at } };
    }
    const found = await worklogs.find(principal, sessionKey);
    if (found && isNoteTo(found, principal, { to, requestType })) return { value: { gone: found } };
    return found ? this.#own(principal, found) : { rejection: await worklogs.refusal(principal, sessionKey) };
  }

  /** Who may write to it, and does not own it, is told so; all else the rules say. */
  #own({ agent }: Principal, found: FoundWorklog): Outcome<Whereabouts> {
    const { owner } = found.state;
    if (!isShared(found.state, agent)) return { value: { at: found } };
    const message = `only the owner, ${named(owner)}, may hand it over. What ${named(owner)} should know of it: updateContext, to which you may write, too. For work of your own: handOff without sessionKey`;
    const details = { sessionKey: found.ref.id, owner };
    return { rejection: rejectWith(RejectionCode.FORBIDDEN, message, details) };
  }

  async #plan(
    principal: Principal,
    asked: Asked,
    { key, state, about, slips }: PlannedPlace,
  ): Promise<Outcome<HandOffPlan>> {
    const deps = this.#deps;
    const { id, requestDigest, args, to, attachments } = asked;
    const before = state?.lastNumber ?? 0;
    const entries = this.#entries(asked);
    if (entries.length === 0 && attachments.length === 0 && before === 0) return { rejection: saysNothing() };
    const rejection =
      (await this.#standing(principal, state, to, slips)) ??
      contentFlaw(entries, deps.settingsNow().maxContentBytes);
    if (rejection) return { rejection };
    const ref = worklogRef(principal.tenant, key);
    const { packageTokenBudget, handoffTtlMs } = deps.settingsNow();
    const at = deps.now();
    const seen = entries.map((entry, index) => ({
      ...entry.seen,
      number: before + index + 1,
      at,
      author: principal.agent,
    }));
    const gathered = await gatherSession(deps, ref, before, packageTokenBudget, seen);
    const expiresMs = (args.expiresIn ?? DEFAULT_EXPIRES_SECS) * 1_000;
    const plan = {
      id,
      ref,
      state,
      entries,
      until: at + expiresMs,
      requestType: args.requestType ?? RequestType.FullHandoff,
      requestDigest,
      gathered,
      replaced: state?.pending.filter((one) => one.target === to || slips.includes(one)) ?? [],
      ...(about !== undefined && { about }),
    };
    if (to === undefined) return { value: plan };
    const committing = await commitChoice(deps, principal, { ...args, targetAgent: to });
    if ('code' in committing) return { rejection: committing };
    const [entry] = entries;
    const [added] = seen;
    const offer = {
      to,
      committing,
      policy: args.policy ?? '',
      ttlMs: Math.min(expiresMs, handoffTtlMs),
      attachments,
      ...(entry &&
        added && {
          added: { entry: added, digest: `sha256:${deps.codec.sha256(entry.payload)}` },
        }),
    };
    return { value: { ...plan, offer } };
  }

  #entries({ said, attachments, to }: Asked): readonly NewEntry[] {
    const { codec } = this.#deps;
    return [
      ...(said ? [messageEntry(said, codec)] : []),
      ...(to === undefined ? attachments.map((attachment) => fileEntry(attachment, codec)) : []),
    ];
  }

  /** O4: an offer that is still open. */
  async #standing(
    { tenant }: Principal,
    state: WorklogState | undefined,
    to: string | undefined,
    slips: readonly PendingHandoff[],
  ): Promise<Rejection | undefined> {
    for (const pending of state?.pending ?? []) {
      if (slips.includes(pending)) continue;
      const { target, requestType } = pending;
      if (target === to) {
        const session = (await this.#deps.engine.query(sessionRef(tenant, pending.sessionId)))?.state;
        if (session && acceptedOffer(offersOf(session)))
          return standing(pending, `${named(target)} accepted; commitHandoff makes it final`);
      } else if (requestType === RequestType.FullHandoff)
        return standing(
          pending,
          `it is offered to ${named(target)}; cancelHandoff withdraws that. ${OTHER_WORK}`,
        );
    }
    return undefined;
  }

  #submit(principal: Principal, { id, to }: Asked, { steps, bytes }: HandOffSteps): Promise<HandOffAnswer> {
    const deps = this.#deps;
    const submission = { agent: principal.agent, steps, bytes };
    if (to === undefined) return submit(deps, principal, 'handOff', submission);
    const consult = [policiesRef(principal.tenant, deps.policiesFromFiles)];
    return deps.quota.whileStarting<HandOffAnswer>(
      principal,
      id,
      () => submit(deps, principal, 'handOff', { ...submission, consult }),
      (rejection) => ({ ok: false, rejection, step: 0 }),
    );
  }

  #noteReplaced(principal: Principal, { replaced }: HandOffPlan): void {
    for (const { sessionId } of replaced) this.#deps.audit.cancelled({ actor: principal, sessionId });
  }
}

/** A former owner tells whoever has the work now what it should know of it. */
const isNoteTo = (
  { state }: FoundWorklog,
  { agent }: Principal,
  { to, requestType }: { readonly to: string | undefined; readonly requestType: RequestType | undefined },
): boolean => requestType === RequestType.ContextTransfer && to === state.owner && hasGivenAway(state, agent);

function aboutOf(
  principal: Principal,
  { args: { requestType }, to }: Asked,
  { at, gone }: Whereabouts,
): string | undefined {
  return !at && gone && isNoteTo(gone, principal, { to, requestType }) ? gone.ref.id : undefined;
}

/** What only a service can judge. */
function argumentFlaw({ agent }: Principal, { to, autoCommit, policy }: HandOffArgs): Rejection | undefined {
  if (to === ANYONE)
    return fieldFlaw('to', 'names nobody: to leave it for whoever resumes next here, leave "to" out');
  if (to !== undefined && isRefusedName(to))
    return fieldFlaw('to', `cannot name an agent: ${REFUSED_NAMES_RULE}`);
  if (to !== undefined && to !== agent) return undefined;
  if (autoCommit === false)
    return fieldFlaw(
      'autoCommit',
      'can only be false with a receiver: what is left is final when it is taken',
    );
  return policy === undefined ? undefined : fieldFlaw('policy', 'needs a receiver in to');
}

function contentFlaw(entries: readonly NewEntry[], most: number): Rejection | undefined {
  const large = entries.find(({ seen }) => Buffer.byteLength(seen.content) > most);
  if (!large) return undefined;
  const field = large.contextType === 'file' ? 'attachments' : 'brief';
  return fieldFlaw(field, `make an entry of more than ${most} bytes, which is the most here`);
}

const saysNothing = (): Rejection =>
  rejectWith(RejectionCode.VALIDATION_ERROR, SAY_SOMETHING, {
    issues: [{ field: 'goal', message: SAY_SOMETHING }],
  });

const SAY_SOMETHING =
  'say at least goal, next or brief; open, decisions, tried, done, files or attachments will do, too';

function standing({ sessionId, handoffId }: PendingHandoff, message: string): Rejection {
  return rejectWith(RejectionCode.CONFLICT, message, { handoffId: formatHandoffId(sessionId, handoffId) });
}

/** Another window wrote, or somebody registered the key that was made. */
function isOvertaken({ code, details, message }: Rejection): boolean {
  if (code !== RejectionCode.CONFLICT) return false;
  return details?.currentSequence !== undefined || message === 'Session already exists';
}

/** Without a session, the one that the window is at is meant. */
const OTHER_WORK =
  'Other work needs a session of its own: registerSession opens one, then handOff with its sessionKey';

const PACKAGE_MESSAGES = 3;

/** An attachment that is too large for a message is named; the rest is the package. */
function messageFlaw({ messages }: HandOffSteps, sessionKey: string): Rejection | undefined {
  const index = messages.findIndex(({ flaw }) => flaw);
  const flaw = messages[index]?.flaw;
  if (!flaw) return undefined;
  if (index < PACKAGE_MESSAGES) return preparationRefusal(flaw, sessionKey);
  return fieldFlaw(`attachments.${index - PACKAGE_MESSAGES}`, `cannot be sent: ${flaw.message}`);
}

function refusal(
  { rejection, step }: Extract<HandOffAnswer, { readonly ok: false }>,
  { anchor }: HandOffSteps,
  sessionKey: string,
): Rejection {
  return step <= anchor ? aboutSession(rejection, sessionKey) : preparationRefusal(rejection, sessionKey);
}

/** Undefined: the same request was sent twice at once, and the other one was first. */
function handedOff(
  { ref }: HandOffPlan,
  answer: Extract<HandOffAnswer, { readonly ok: true }>,
  { anchor }: HandOffSteps,
): HandedOff | undefined {
  const entry = answer.results[anchor]?.entries[0];
  return entry && { ref, anchor: entry };
}
