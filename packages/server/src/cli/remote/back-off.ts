/** How long to wait before a server that did not answer is asked again. */
const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000];
const SPREAD = 0.2;

/** `failed` counts from 1; `random` is from 0 to 1. The spread keeps many clients from coming at the same moment. */
export function backOffMs(failed: number, random: number): number {
  const wait = WAITS_MS[Math.min(failed, WAITS_MS.length) - 1] ?? 0;
  return Math.round(wait * (1 - SPREAD + 2 * SPREAD * random));
}
