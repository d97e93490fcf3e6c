/** How an attack goes on: at a rate, or with a number of readers that is kept up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StuckReader } from './wire/stuck.js';

/** Acts at most so many times a second, one after another, until it is over. */
export async function repeat(
  over: AbortSignal,
  perSecond: number,
  act: (turn: number) => Promise<unknown>,
): Promise<void> {
  const everyMs = 1_000 / perSecond;
  for (let turn = 0; !over.aborted; turn++) {
    const begun = performance.now();
    await act(turn);
    await sleep(Math.max(0, everyMs - (performance.now() - begun)));
  }
}

/** So many of them at once, as fast as they are answered. */
export async function inParallel(
  over: AbortSignal,
  count: number,
  act: (turn: number) => Promise<unknown>,
): Promise<void> {
  let turn = 0;
  const worker = async () => {
    while (!over.aborted) await act(turn++);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

export interface Crowd {
  readonly name: string;
  readonly size: number;
  /** How many may be opened in a second. */
  readonly perSecond: number;
  open(): StuckReader;
}

/** Keeps a crowd of readers at its size: whoever is ended by the server comes again. */
export async function keepUp(over: AbortSignal, crowd: Crowd, got: (what: string) => void): Promise<void> {
  const { name, size, perSecond, open } = crowd;
  let readers: StuckReader[] = [];
  await repeat(over, 4, async () => {
    for (const { ended } of readers) if (ended !== undefined) got(`${name}: ${ended}`);
    readers = readers.filter(({ ended }) => ended === undefined);
    const missing = Math.min(size - readers.length, Math.ceil(perSecond / 4));
    for (let n = 0; n < missing; n++) readers.push(open());
  });
  for (const reader of readers) got(`${name}: ${reader.ended ?? 'open at the end'}`);
  for (const reader of readers) reader.close();
}
