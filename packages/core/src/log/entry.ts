/**
 * The entry: what the log is made of. It has three parts, because each is treated differently:
 *
 * - head: who, when, which type, and the links of the hash chain;
 * - facts: small canonical JSON, everything `evolve` needs and nothing else (no free text, no context bytes);
 * - payload: the exact bytes that crossed, salted, so that they can one day be erased while chain and replay survive.
 */
import type { JsonObject } from './json.js';

export const StreamKind = {
  Session: 'session',
  Worklog: 'worklog',
  Operation: 'operation',
  Carrier: 'carrier',
  Policies: 'policies',
  Modes: 'modes',
  Configuration: 'configuration',
} as const;
export type StreamKind = (typeof StreamKind)[keyof typeof StreamKind];

/** Names one stream, of a kind or of any. Tenant comes from the credential, never from the wire. */
export type StreamRef<K extends StreamKind = StreamKind> = {
  readonly [P in K]: { readonly tenant: string; readonly kind: P; readonly id: string };
}[K];

/** A map key for a stream; the separator cannot occur in a tenant or kind. */
export function streamKey(ref: StreamRef): string {
  return `${ref.tenant}\n${ref.kind}/${ref.id}`;
}

/** Head and facts: what replay reads. */
export interface EntryHead {
  readonly stream: StreamRef;
  readonly seq: number;
  /** The runtime's clock, milliseconds; never goes back within a stream. */
  readonly at: number;
  readonly type: string;
  readonly v: number;
  readonly actor: string;
  readonly messageId: string;
  /** Lowercase hex of SHA-256(salt || payload). */
  readonly payloadHash: string;
  /** Lowercase hex of the previous entry's hash; 64 zeros on the first. */
  readonly prev: string;
  /** Lowercase hex: see chain.ts. */
  readonly hash: string;
  /** Canonical JSON text of the facts, exactly as hashed and stored. */
  readonly factsText: string;
  readonly facts: JsonObject;
}

/** A whole entry, with the bytes that crossed. */
export interface Entry extends EntryHead {
  readonly salt: Uint8Array;
  readonly payload: Uint8Array;
}

/** Of entries that say all they have to say in their facts. */
export const NO_PAYLOAD = new Uint8Array(0);

/** What a decider asks to append; the engine stamps and seals it. */
export interface Draft {
  readonly type: string;
  readonly v: number;
  readonly actor: string;
  readonly messageId: string;
  readonly facts: JsonObject;
  readonly payload: Uint8Array;
  /** Only ticks set this: the time at which they fell due. */
  readonly at?: number;
}

/** The end of a stream as the chain sees it. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
  readonly at: number;
}

export const GENESIS: ChainHead = { seq: 0, hash: '0'.repeat(64), at: 0 };

/** Published cap: a stream takes no ordinary entry beyond this; the last ones are kept for endings. */
export const MAX_ENTRIES_PER_STREAM = 50_000;
