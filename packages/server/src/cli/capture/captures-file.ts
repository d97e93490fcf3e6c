/**
 * `captures.json` in the data folder: how far each transcript was read, and when its session was last captured. It holds
 * only what was redacted. Losing it costs nothing but reading the transcripts again.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import type { DoneSoFar } from './done-so-far.js';
import type { SpooledEvent } from './spool.js';
import type { TranscriptMark } from './transcripts/read-transcript.js';

export interface CapturedSession {
  readonly mark?: TranscriptMark;
  /** When its last entry was made, for which event, and a digest of what it said; empty when it was not stored. */
  readonly at: number;
  readonly event: string;
  readonly digest: string;
  /** Where it is stored. */
  readonly sessionKey?: string;
  /** What had been done when something was stored last. */
  readonly stored?: DoneSoFar;
}

export type CapturedSessions = ReadonlyMap<string, CapturedSession>;

const FILE = 'captures.json';
const MAX_BYTES = 16 * 1_048_576;
const MAX_SESSIONS = 500;
const MAX_AGE_MS = 30 * 86_400_000;

/** Each server has its own sessions of the same conversation. */
export const capturedKey = ({ client, session, server }: SpooledEvent): string =>
  [client, session, ...(server === undefined ? [] : [server])].join(' ');

export function readCaptures(dataFolder: string): CapturedSessions {
  const path = join(dataFolder, FILE);
  try {
    if (statSync(path).size > MAX_BYTES) return new Map();
    const { v, sessions } = JSON.parse(readFileSync(path, 'utf8'));
    return v === 1 ? new Map(Object.entries(sessions)) : new Map();
  } catch {
    return new Map();
  }
}

/** The newest are kept. */
export function writeCapture(dataFolder: string, key: string, captured: CapturedSession, now: number): void {
  const all = new Map(readCaptures(dataFolder)).set(key, captured);
  const kept = [...all]
    .filter(([, { at }]) => now - at <= MAX_AGE_MS)
    .sort(([, one], [, other]) => other.at - one.at)
    .slice(0, MAX_SESSIONS);
  writeFileAtomic(join(dataFolder, FILE), JSON.stringify({ v: 1, sessions: Object.fromEntries(kept) }));
}
