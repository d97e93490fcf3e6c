/** Calls `onIdle` once, when `isBusy` has been false for `idleMs`. */
export interface IdleOptions {
  readonly idleMs: number;
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

const MAX_CHECK_MS = 5_000;

export function watchIdle({ idleMs, isBusy, onIdle }: IdleOptions): { stop(): void } {
  let busyAt = performance.now();
  const timer = setInterval(
    () => {
      if (isBusy()) busyAt = performance.now();
      else if (performance.now() - busyAt >= idleMs) {
        clearInterval(timer);
        onIdle();
      }
    },
    Math.min(MAX_CHECK_MS, Math.max(50, idleMs / 4)),
  );
  return { stop: () => clearInterval(timer) };
}
