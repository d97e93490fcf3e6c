/**
 * The way to one RPC: every question of the server passes it, whoever asks.
 *
 * G1. Only a few questions are under way at once and a bounded number waits. Those who ask take turns.
 * G2. A caller waits no longer than it said. Its question, once sent, goes on until the RPC's own time limit: only so is
 *     it known whether the RPC answers.
 * G3. While the RPC is left alone (breaker.ts) everybody is told so at once. The first one who asks after a pause makes
 *     the gate ask one cheap question, and waits for its answer.
 * G4. Only silence and nonsense are failures. A refusal or an error in proper form shows that the RPC is there: otherwise
 *     whoever asks for something that does not exist could close the gate for all.
 */
import { fixedLimits } from '../config/fixed-limits.js';
import { Turns } from '../platform/turns.js';
import { Breaker, type BreakerLimits } from './breaker.js';
import { ChainSilent, ChainUnavailable } from './port.js';

export interface GateLimits extends BreakerLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** Of one who asks: the places of the others stay free. */
  readonly waitingOfOne: number;
}

export const GATE_LIMITS: GateLimits = {
  atOnce: fixedLimits.chainRequestsAtOnce.value,
  waiting: fixedLimits.chainRequestsWaiting.value,
  waitingOfOne: fixedLimits.chainRequestsWaitingOfOne.value,
  failuresInARow: fixedLimits.chainFailuresInARow.value,
  firstPauseMs: fixedLimits.chainFirstPauseMs.value,
  maxPauseMs: fixedLimits.chainLongestPauseMs.value,
};

/** Who asks, and until when it waits, by the clock of the gate. */
export interface Caller {
  readonly asker: string;
  readonly until: number;
}

/** `unasked`: the gate refused, so the RPC was not asked. */
export type AskOutcome = 'answered' | 'failed' | 'unasked';

export interface GateOptions {
  readonly limits: GateLimits;
  /** One cheap question. */
  readonly probe: () => Promise<unknown>;
  /** Milliseconds from a clock that never goes back. */
  readonly now: () => number;
  /** `seconds` from the question to the answer; 0 when it was not asked. */
  readonly asked?: (outcome: AskOutcome, seconds: number) => void;
}

interface Turn {
  /** Resolves with what it failed with; undefined: it got an answer. */
  start(): Promise<unknown>;
  refuse(refusal: ChainUnavailable): void;
}

export class ChainGate {
  readonly #options: GateOptions;
  readonly #breaker: Breaker;
  readonly #turns = new Turns<Turn>();
  #running = 0;
  #probing = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#breaker = new Breaker(options.limits);
  }

  get isPaused(): boolean {
    return this.#breaker.isPaused;
  }

  get waiting(): number {
    return this.#turns.size;
  }

  ask<T>({ asker, until }: Caller, question: () => Promise<T>): Promise<T> {
    const now = this.#options.now();
    const refusal = this.#refusal(now, { asker, until });
    if (refusal) {
      this.#options.asked?.('unasked', 0);
      return Promise.reject(refusal);
    }
    return new Promise<T>((resolve, reject) => {
      const refuse = (failure: unknown) => {
        clearTimeout(timer);
        reject(failure);
      };
      const start = () =>
        question().then(
          (answer) => {
            clearTimeout(timer);
            resolve(answer);
          },
          (failure: unknown) => {
            refuse(failure);
            return failure;
          },
        );
      const turn: Turn = { start, refuse };
      const timer = setTimeout(() => {
        if (this.#turns.delete(asker, turn)) this.#options.asked?.('unasked', 0);
        refuse(tooLate());
      }, until - now);
      this.#turns.add(asker, turn);
      this.#advance();
    });
  }

  #refusal(now: number, { asker, until }: Caller): ChainUnavailable | undefined {
    const pausedMs = this.#breaker.pausedFor(now);
    if (pausedMs > 0) return paused(pausedMs);
    if (this.#turns.size >= this.#options.limits.waiting)
      return new ChainUnavailable('too many questions wait for this RPC');
    if (this.#turns.of(asker) >= this.#options.limits.waitingOfOne)
      return new ChainUnavailable('too many questions of yours wait for this RPC');
    return now >= until ? tooLate() : undefined;
  }

  #advance(): void {
    while (this.#turns.size > 0 && this.#running < this.#options.limits.atOnce) {
      if (this.#breaker.isPaused) return void this.#probe();
      const turn = this.#turns.take();
      if (turn) void this.#run(() => turn.start());
    }
  }

  /** Whether the RPC was silent. */
  async #run(start: () => Promise<unknown>): Promise<boolean> {
    const { now, asked } = this.#options;
    const started = now();
    this.#running += 1;
    const failure = await start();
    this.#running -= 1;
    const silent = failure instanceof ChainSilent;
    asked?.(failure instanceof ChainUnavailable ? 'failed' : 'answered', (now() - started) / 1_000);
    if (!silent) this.#breaker.answered();
    else if (this.#breaker.failed(now())) this.#refuseAll();
    this.#advance();
    return silent;
  }

  async #probe(): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    const failure = () =>
      this.#options.probe().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    const silent = await this.#run(failure);
    this.#probing = false;
    // An answer to an earlier question may have come meanwhile.
    if (silent && this.#breaker.isPaused) {
      this.#breaker.triedInVain(this.#options.now());
      this.#refuseAll();
    }
    this.#advance();
  }

  #refuseAll(): void {
    const { now, asked } = this.#options;
    const refusal = paused(this.#breaker.pausedFor(now()));
    for (let turn = this.#turns.take(); turn; turn = this.#turns.take()) {
      asked?.('unasked', 0);
      turn.refuse(refusal);
    }
  }
}

function paused(ms: number): ChainUnavailable {
  const retryAfterMs = Math.ceil(ms);
  return new ChainUnavailable(
    `the RPC did not answer; it is asked again in ${retryAfterMs} ms`,
    retryAfterMs,
  );
}

function tooLate(): ChainUnavailable {
  return new ChainUnavailable('the RPC did not answer in time');
}
