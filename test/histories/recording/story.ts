import type { Entry, StreamRef } from '@handover/core';

/** One stream of a story, under the name of its file without `.json`. */
export interface Recorded {
  readonly name: string;
  readonly ref: StreamRef;
  readonly entries: readonly Entry[];
}

/** Tells one story. Its first stream is the one that it is about, and has the name of the story. */
export type Story = (name: string) => Promise<readonly [Recorded, ...Recorded[]]>;
export type Stories = Readonly<Record<string, Story>>;
