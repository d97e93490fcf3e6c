/**
 * An orderly end.
 *
 * H1. SIGINT, SIGTERM or SIGHUP (a terminal that goes away) closes what was opened, in reverse order: doors before the
 *     engine, the engine before the store.
 * H2. At the end of the drain time the `deadline` signal fires: whoever still waits for clients must cut them off. What
 *     is left to close (the store above all) is still closed, within a short grace of its own.
 * H3. The exit code is 0, also when clients had to be cut off; 1 when something failed to close.
 * H4. A second signal ends the process at once. Nothing acknowledged is lost: it was durable before the answer left.
 */
import { constants } from 'node:os';
import type { Log } from '../observe/log.js';

export type Closer = (deadline: AbortSignal) => void | Promise<void>;

export interface Shutdown {
  /** What was added last is closed first. */
  add(name: string, close: Closer): void;
  /** Closes everything once, however often it is called; resolves to the exit code. */
  run(reason: string): Promise<number>;
  /** Listens for the signals. Returns a function that stops listening. */
  install(): () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndSignal = (typeof SIGNALS)[number];

/** The part of `process` that is used. */
export interface SignalSource {
  on(signal: EndSignal, listener: () => void): unknown;
  off(signal: EndSignal, listener: () => void): unknown;
}

export interface ShutdownOptions {
  readonly drainMs: number;
  readonly log: Log;
  readonly exit?: (code: number) => void;
  readonly signals?: SignalSource;
  readonly graceMs?: number;
}

const DEFAULT_GRACE_MS = 2_000;

export function createShutdown(options: ShutdownOptions): Shutdown {
  const { log, exit = (code) => process.exit(code), signals = process } = options;
  const closers: { readonly name: string; readonly close: Closer }[] = [];
  let running: Promise<number> | undefined;
  const run = (reason: string) => {
    log.info('shutdown.started', { reason });
    return closeAll([...closers].reverse(), options);
  };
  const onSignal = (signal: EndSignal) => {
    if (running !== undefined) return exit(128 + constants.signals[signal]);
    running = run(signal);
    running.then(exit, () => exit(1));
  };
  return {
    add: (name, close) => closers.push({ name, close }),
    run(reason) {
      running ??= run(reason);
      return running;
    },
    install() {
      const listeners = SIGNALS.map((signal) => {
        const listener = () => onSignal(signal);
        signals.on(signal, listener);
        return () => signals.off(signal, listener);
      });
      return () => {
        for (const remove of listeners) remove();
      };
    },
  };
}

async function closeAll(
  closers: readonly { readonly name: string; readonly close: Closer }[],
  { drainMs, log, graceMs = DEFAULT_GRACE_MS }: ShutdownOptions,
): Promise<number> {
  const deadline = new AbortController();
  const drained = setTimeout(() => deadline.abort(), drainMs);
  const giveUp = new AbortController();
  const last = setTimeout(() => giveUp.abort(), drainMs + graceMs);
  let code = 0;
  for (const { name, close } of closers) {
    try {
      const finished = await unlessAborted(
        Promise.resolve().then(() => close(deadline.signal)),
        giveUp.signal,
      );
      if (!finished) log.warn('shutdown.abandoned', { name });
    } catch (error) {
      code = 1;
      log.error('shutdown.failed', { name, error });
    }
  }
  clearTimeout(drained);
  clearTimeout(last);
  log.info('shutdown.finished', { code });
  return code;
}

/** True when the work ended first. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  let stop = () => {};
  const aborted = new Promise<false>((resolve) => {
    stop = () => resolve(false);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work.then(() => true as const), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
