/** Everything outside the engine that it uses. The simulation supplies its own, and so runs the real engine. */
import type { Codec, Entry, EntryHead } from '@handover/core';
import type { Store } from './store.js';

export interface Log {
  debug(event: string, fields?: Readonly<Record<string, unknown>>): void;
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A pause that can be cancelled; `sleep(0)` lets everything that is ready run first. */
export interface Sleep {
  readonly done: Promise<void>;
  cancel(): void;
}

export interface Env {
  /** Milliseconds since 1970. It may jump; the engine never lets a stream's time go back. */
  now(): number;
  sleep(ms: number): Sleep;
  /** Unpredictable bytes, for salts. */
  random(bytes: number): Uint8Array;
  readonly store: Store;
  readonly codec: Codec;
  readonly log: Log;
  readonly observe?: EngineObserver;
}

/** Callbacks for metrics, called after the event. They must not throw. */
export interface EngineObserver {
  batchStored?(commands: number, entries: number, durationMs: number): void;
  /** Each entry once it is durable. */
  entryStored?(entry: Entry): void;
}

export interface EngineLimits {
  readonly queueCommands: number;
  readonly queueBytes: number;
  readonly batchCommands: number;
  readonly batchBytes: number;
  readonly cachedStreams: number;
  readonly tailBytesPerStream: number;
  readonly tailBytesInAll: number;
  readonly subscriberBudgetBytes: number;
  /** The newest items of the feed, for followers. */
  readonly feedTailEntries: number;
  readonly feedTailBytes: number;
  readonly sweepMs: number;
}

export const DEFAULT_LIMITS: EngineLimits = {
  queueCommands: 4_096,
  queueBytes: 64 * 1024 * 1024,
  batchCommands: 1_024,
  batchBytes: 16 * 1024 * 1024,
  cachedStreams: 10_000,
  tailBytesPerStream: 256 * 1024,
  tailBytesInAll: 64 * 1024 * 1024,
  subscriberBudgetBytes: 4 * 1024 * 1024,
  feedTailEntries: 4_096,
  feedTailBytes: 8 * 1024 * 1024,
  sweepMs: 60_000,
};

/** Roughly what an entry costs in memory. */
export function entryBytes(entry: Entry): number {
  return entry.payload.length + headBytes(entry);
}

/** The same without the payload. */
export function headBytes({ factsText }: EntryHead): number {
  return factsText.length + 512;
}
