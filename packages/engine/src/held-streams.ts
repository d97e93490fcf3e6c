/**
 * The streams that a submission needs: its own, those it consults or touches, and their companions. They are pinned in the cache
 * from the moment the submission is queued until it is answered.
 */
import { HandoverError, type StreamRef, streamKey } from '@handover/core';
import type { CachedStream, StreamCache } from './stream-cache.js';
import type { Submission } from './submission.js';

const UNBOUND: readonly StreamRef[] = [];

/** Pins and returns all of them if they are all in memory. This is the usual case, and it needs no promise. */
export function holdPresent(cache: StreamCache, submission: Submission): CachedStream[] | undefined {
  const streams: CachedStream[] = [];
  for (const ref of refsOf(submission)) {
    const stream = cache.peek(streamKey(ref));
    if (!stream) return undefined;
    streams.push(stream);
    for (const companion of companionsOf(stream)) {
      const bound = cache.peek(streamKey(companion));
      if (!bound) return undefined;
      streams.push(bound);
    }
  }
  for (const stream of streams) stream.pins++;
  return streams;
}

/** Pins and returns all of them; loads those that are not in memory. */
export async function holdLoaded(cache: StreamCache, submission: Submission): Promise<CachedStream[]> {
  const streams: CachedStream[] = [];
  const hold = async (ref: StreamRef): Promise<CachedStream> => {
    const stream = await cache.load(ref);
    stream.pins++;
    streams.push(stream);
    return stream;
  };
  try {
    for (const ref of refsOf(submission))
      for (const companion of companionsOf(await hold(ref))) await hold(companion);
    return streams;
  } catch (thrown) {
    release(streams);
    throw HandoverError.from(thrown);
  }
}

/** Also pins the companions that a stream got after the submission was queued. */
export async function holdNewCompanions(cache: StreamCache, held: CachedStream[]): Promise<void> {
  for (const stream of held)
    for (const ref of companionsOf(stream)) {
      const key = streamKey(ref);
      if (held.some((known) => known.key === key)) continue;
      const bound = cache.peek(key) ?? (await cache.load(ref));
      bound.pins++;
      held.push(bound);
    }
}

/** Whether a stream has a companion that the batch has not got. */
export function lacksCompanions(
  { streams }: { readonly streams: readonly CachedStream[] },
  batch: ReadonlyMap<string, CachedStream>,
): boolean {
  return streams.some(({ key }) => {
    const stream = batch.get(key);
    return stream !== undefined && companionsOf(stream).some((ref) => !batch.has(streamKey(ref)));
  });
}

export function release(streams: readonly CachedStream[]): void {
  for (const stream of streams) stream.pins--;
}

export function hasCompanions(stream: CachedStream): boolean {
  return companionsOf(stream).length > 0;
}

function companionsOf({ state, decider, ref }: CachedStream): readonly StreamRef[] {
  return state === undefined ? UNBOUND : (decider.companions?.(state, ref) ?? UNBOUND);
}

function refsOf({ steps, consult, touch }: Submission): readonly StreamRef[] {
  const [only] = steps;
  if (only && steps.length === 1 && !consult && !touch) return [only.stream];
  return [...steps.map(({ stream }) => stream), ...(consult ?? []), ...(touch ?? [])];
}
