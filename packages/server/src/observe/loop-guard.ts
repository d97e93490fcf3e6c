/**
 * Notices when something keeps the event loop for too long: while it does, nobody else is served.
 *
 * A timer of ten milliseconds looks at the clock. If it comes much later than it should, the loop was held for about
 * that long. The route that was entered last, within the second before, is a hint at the cause, not a proof: the work may belong to an earlier
 * request, to a timer, or to the collection of garbage.
 */
import type { Log } from './log.js';
import { SparseLines } from './sparse-lines.js';

export interface LoopGuard {
  /** Doors call it for each request, with a name of their own: never an address, an id or a text of the caller. */
  entered(route: string): void;
  close(): void;
}

export interface LoopGuardOptions {
  readonly log: Log;
  /** Counts one stretch, in seconds. */
  readonly held: (seconds: number) => void;
  readonly now?: () => number;
}

export const LONGEST_STRETCH_MS = 50;
const LOOK_EVERY_MS = 10;
/** A loop that is held again and again would fill the log. */
const ONE_LINE_EVERY_MS = 1_000;
const RECENT_MS = 1_000;

export function createLoopGuard(options: LoopGuardOptions): LoopGuard {
  const look = createLook(options);
  const timer = setInterval(() => look.look(), LOOK_EVERY_MS).unref();
  return {
    entered: look.entered,
    close: () => clearInterval(timer),
  };
}

export const noLoopGuard: LoopGuard = { entered() {}, close() {} };

/** The guard without its timer. */
export function createLook({ log, held, now = () => performance.now() }: LoopGuardOptions) {
  let last: { readonly route: string; readonly at: number } | undefined;
  let lookedAt = now();
  const lines = new SparseLines(ONE_LINE_EVERY_MS, now);
  return {
    entered(name: string): void {
      last = { route: name, at: lookedAt };
    },
    look(): void {
      const at = now();
      const stretch = at - lookedAt - LOOK_EVERY_MS;
      const began = lookedAt;
      lookedAt = at;
      // Before the first request nobody waits: starting may take its time.
      if (stretch <= LONGEST_STRETCH_MS || last === undefined) return;
      held(stretch / 1_000);
      const unsaid = lines.take();
      // What was begun long before is no hint.
      const lastRoute = began - last.at <= RECENT_MS ? last.route : 'none';
      if (unsaid !== undefined) log.warn('loop.held', { ms: Math.round(stretch), lastRoute, unsaid });
    },
  };
}
