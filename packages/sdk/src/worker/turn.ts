/**
 * One offer has its turn: its context is waited for, the decision is made, and the answer is sent.
 *
 * U1. Before the answer is sent the session is read once more. Context that the decision has not seen makes it again, in
 *     the same attempt, three times at most.
 * U2. The answer's message id follows from session, handoff and agent, for yes and no alike: the runtime takes one of them.
 * U3. What the runtime has taken stands. That another process was first is no error.
 * U4. A call that fails on the way is made again for as long as the offer is open, after the wait that all calls share;
 *     answers that were refused for their rate go on one after another.
 */
import { createHash } from 'node:crypto';
import type { AuthConfig } from '../auth.js';
import type { MacpClient } from '../client/client.js';
import { INVALID_ENVELOPE, RATE_LIMITED, SESSION_NOT_OPEN } from '../error-codes.js';
import { MacpAckError, MacpClosedError } from '../errors.js';
import { ContextClock, type FullContextWait, within } from '../handoff/context-clock.js';
import { HandoffSession } from '../handoff/session.js';
import { policyAnswersAfter } from '../policy/answers-after.js';
import type { Line, Place } from '../transport/line.js';
import { type AnsweredOffer, type Decide, type Verdict, verdictOf, type WorkerOffer } from './decision.js';
import { type Gate, mayPassLater } from './gate.js';
import type { WorkerJournal } from './journal.js';
import { LiveView } from './live-view.js';
import { contextsOf, toOpenOffer, waitingFor } from './offer.js';
import { isGone } from './open-sessions.js';
import type { Tracked } from './tracked.js';

/** What a turn needs of its worker. */
export interface TurnHost {
  readonly client: MacpClient;
  readonly agent: string;
  readonly auth: AuthConfig | undefined;
  readonly gate: Gate;
  /** For answers that were refused for their rate: they go on one after another. */
  readonly line: Line;
  readonly wait: FullContextWait;
  readonly journal: WorkerJournal;
  readonly maxAttempts: number;
  readonly stopping: AbortSignal;
  readonly decide: Decide;
  /** A decision begins. */
  begins(): void;
}

/** How a turn ended. */
export type TurnEnd =
  | { readonly kind: 'answered'; readonly answer: AnsweredOffer }
  /** Nothing is left to decide. */
  | { readonly kind: 'over' }
  /** Not now: the session is suspended, or the worker stops. */
  | { readonly kind: 'later' }
  /** The decision leaves it to others until there is more context than this. */
  | { readonly kind: 'left'; readonly seen: number }
  | { readonly kind: 'failed'; readonly error: unknown; readonly attempt: number }
  | { readonly kind: 'exhausted'; readonly attempt: number };

const ROUNDS = 3;
/** Our own answer comes back on the stream within moments, unless the connection is lost. */
const OWN_ANSWER_MS = 1_000;
/** Where a runtime does not say how long to wait. */
const RATE_MS = 1_000;
const OVER: TurnEnd = { kind: 'over' };
const LATER: TurnEnd = { kind: 'later' };

export function answerId(sessionId: string, handoffId: string, agent: string): string {
  const named = createHash('sha256').update(JSON.stringify([sessionId, handoffId, agent]));
  return `answer:${named.digest('hex').slice(0, 32)}`;
}

export async function takeTurn(host: TurnHost, turn: Tracked): Promise<TurnEnd> {
  const { client, auth } = host;
  const session = new HandoffSession(client, {
    sessionId: turn.sessionId,
    auth,
    retry: false,
    applyOwnMessages: false,
  });
  try {
    return await new Turn(host, turn, session).take();
  } catch (error) {
    if (turn.over.signal.aborted || error instanceof MacpClosedError || isGone(error)) return OVER;
    throw error;
  }
}

class Turn {
  readonly #host: TurnHost;
  readonly #turn: Tracked;
  readonly #session: HandoffSession;
  /** The answer was sent, and what became of it is not known. */
  #inDoubt = false;

  constructor(host: TurnHost, turn: Tracked, session: HandoffSession) {
    this.#host = host;
    this.#turn = turn;
    this.#session = session;
  }

  async take(): Promise<TurnEnd> {
    const { projection } = this.#session;
    await this.#look();
    if (projection.sessionState === 'SUSPENDED') return LATER;
    if (this.#isOver) return OVER;
    const live = new LiveView(this.#session, this.#turn);
    try {
      const waited = await this.#awaitContext(live);
      if (this.#isOver) return OVER;
      if (!waited || this.#host.stopping.aborted) return LATER;
      return await this.#decideAndAnswer(live, waited);
    } finally {
      live.close();
    }
  }

  get #isOver(): boolean {
    return (
      this.#turn.over.signal.aborted ||
      waitingFor(this.#host.agent, this.#session.projection)?.handoffId !== this.#turn.handoffId
    );
  }

  get #count(): number {
    return this.#session.projection.contexts.get(this.#turn.handoffId)?.length ?? 0;
  }

  /** What has been accepted by now. */
  async #look(): Promise<void> {
    const { gate } = this.#host;
    const { signal } = this.#turn.over;
    for (;;) {
      await gate.pass(signal);
      signal.throwIfAborted();
      try {
        await this.#session.sync({ signal });
        return gate.passed();
      } catch (error) {
        if (!mayPassLater(error)) throw error;
        gate.failed(error);
      }
    }
  }

  async #awaitContext(live: LiveView): Promise<WorkerOffer['waited'] | undefined> {
    const { client, auth, wait, stopping } = this.#host;
    const after = await policyAnswersAfter(client, this.#turn.policyVersion, auth);
    const clock = new ContextClock(within(wait, after), this.#turn.seenAt);
    const ending = AbortSignal.any([stopping, this.#turn.over.signal]);
    for (;;) {
      clock.saw(this.#count);
      const left = clock.left();
      if (left <= 0) return clock.waited;
      if (ending.aborted) return undefined;
      await live.change(ending, left);
    }
  }

  async #decideAndAnswer(live: LiveView, waited: WorkerOffer['waited']): Promise<TurnEnd> {
    const { journal, maxAttempts } = this.#host;
    const { sessionId, handoffId } = this.#turn;
    const attempt = journal.attempts({ sessionId, handoffId }) + 1;
    if (attempt > maxAttempts) return { kind: 'exhausted', attempt: attempt - 1 };
    journal.begin({ sessionId, handoffId }, attempt);
    try {
      for (let round = 1; ; round++) {
        const offer = this.#offer(attempt, this.#count > 0 ? 'context' : waited);
        this.#host.begins();
        const verdict = verdictOf(await this.#host.decide(offer));
        if (!verdict) return this.#isOver ? OVER : { kind: 'left', seen: offer.contexts.length };
        const end = await this.#answer(offer, verdict, live, round < ROUNDS);
        if (end) return end;
      }
    } catch (error) {
      if (this.#turn.over.signal.aborted || error instanceof MacpClosedError || isGone(error)) return OVER;
      return { kind: 'failed', error, attempt };
    }
  }

  /** Undefined when context has come that the decision has not seen, and it may be made again. */
  async #answer(
    offer: WorkerOffer,
    verdict: Verdict,
    live: LiveView,
    again: boolean,
  ): Promise<TurnEnd | undefined> {
    const { line } = this.#host;
    const { signal } = this.#turn.over;
    let place: Place | undefined;
    try {
      for (;;) {
        if (line.isClosed) place ??= await line.enter(signal);
        await place?.ready(signal);
        await this.#look();
        if (this.#session.projection.sessionState === 'SUSPENDED') return LATER;
        if (this.#isOver) return this.#isOwnAnswer(offer) ? this.#answered(offer, verdict, true) : OVER;
        // An answer that may be under way is repeated, not replaced.
        if (again && !this.#inDoubt && this.#count > offer.contexts.length) return undefined;
        live.answering = true;
        const end = await this.#send(offer, verdict, live);
        if (end) return end;
      }
    } finally {
      place?.leave();
    }
  }

  /** Undefined when it is not known what has become of the answer, or it is too early for it. */
  async #send(offer: WorkerOffer, { accept, reason }: Verdict, live: LiveView): Promise<TurnEnd | undefined> {
    const { agent, gate, line } = this.#host;
    const { sessionId, handoffId } = this.#turn;
    const messageId = answerId(sessionId, handoffId, agent);
    const said = { handoffId, reason, messageId, sender: agent };
    try {
      const { duplicate } = await (accept ? this.#session.acceptHandoff(said) : this.#session.decline(said));
      gate.passed();
      const { signal } = this.#turn.over;
      const until = performance.now() + OWN_ANSWER_MS;
      while (!live.isAnswered() && !signal.aborted && performance.now() < until)
        await live.change(signal, until - performance.now());
      return this.#answered(offer, { accept, reason }, duplicate);
    } catch (error) {
      if (error instanceof MacpAckError && error.code === RATE_LIMITED) {
        line.refused(error.retryAfterMs ?? RATE_MS);
        return undefined;
      }
      if (mayPassLater(error)) {
        this.#inDoubt = true;
        gate.failed(error);
        return undefined;
      }
      live.answering = false;
      if (!(error instanceof MacpAckError && MOVED_ON.has(error.code))) throw error;
      await this.#look();
      // An expired session tells nothing in its history.
      if (this.#isOver || error.code === SESSION_NOT_OPEN)
        return this.#session.projection.sessionState === 'SUSPENDED' ? LATER : OVER;
      throw error;
    }
  }

  /** Whether the answer in the history is the one that was sent in this turn without an acknowledgement. */
  #isOwnAnswer({ sessionId, handoffId }: WorkerOffer): boolean {
    const id = answerId(sessionId, handoffId, this.#host.agent);
    return this.#inDoubt && this.#session.projection.transcript.some(({ messageId }) => messageId === id);
  }

  #answered(offer: WorkerOffer, { accept, reason }: Verdict, duplicate: boolean): TurnEnd {
    const seenContexts = offer.contexts.length;
    const before = contextsOf(this.#session.projection, offer.handoffId).filter(({ late }) => !late).length;
    const unseen = Math.max(0, before - seenContexts);
    const { attempt } = offer;
    return { kind: 'answered', answer: { offer, accept, reason, seenContexts, unseen, attempt, duplicate } };
  }

  #offer(attempt: number, waited: WorkerOffer['waited']): WorkerOffer {
    const { projection } = this.#session;
    const record = projection.getHandoff(this.#turn.handoffId);
    if (!record) throw new Error('an offer that has its turn is in the projection');
    const { frozenContext } = projection;
    const { signal } = this.#turn.over;
    return { ...toOpenOffer(this.#turn, projection, record), frozenContext, attempt, waited, signal };
  }
}

const MOVED_ON: ReadonlySet<string> = new Set([INVALID_ENVELOPE, SESSION_NOT_OPEN]);
