/**
 * A signal that fires with another one, or after a time. `AbortSignal.any([signal, AbortSignal.timeout(ms)])` would do
 * the same, but on Node 20 nothing holds the time-out: collected as garbage, it never fires.
 */
export interface TimedSignal {
  readonly signal: AbortSignal;
  /** Gives the timer and the listener back; call it when the wait is over. */
  release(): void;
}

export function timedSignal(other: AbortSignal, ms: number): TimedSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('the time is over', 'TimeoutError')), ms);
  const follow = () => controller.abort(other.reason);
  if (other.aborted) follow();
  else other.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      other.removeEventListener('abort', follow);
    },
  };
}
