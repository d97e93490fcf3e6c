/**
 * `captures.json` in the data folder: how far each transcript was read, and when its session was last captured. It holds
 * only what was redacted. Losing it costs nothing but reading the transcripts again.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { FileTooLarge, readPlainFile } from '../../platform/plain-file.js';
import { type DoneSoFar, isDoneSoFar } from './done-so-far.js';
import { logHook } from './hooks-log.js';
import type { SpooledEvent } from './spool.js';
import { isConversation, withFewerCalls } from './transcripts/conversation.js';
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
/** So that all of them fit: one conversation must not keep the others from being read. */
const MAX_ROW_BYTES = 30_000;
const SET_ASIDE = '.set-aside';
const MAX_AGE_MS = 30 * 86_400_000;

/** Each server has its own sessions of the same conversation. */
export const capturedKey = ({ client, session, server }: SpooledEvent): string =>
  [client, session, ...(server === undefined ? [] : [server])].join(' ');

/** Without what is damaged: one bad row must not keep anything from the others. */
export function readCaptures(dataFolder: string): CapturedSessions {
  try {
    const file: unknown = JSON.parse(textOf(dataFolder));
    if (!isFields(file) || file.v !== 1 || !isFields(file.sessions)) return new Map();
    const rows = Object.entries(file.sessions);
    return new Map(rows.filter((row): row is [string, CapturedSession] => isCapturedSession(row[1])));
  } catch {
    return new Map();
  }
}

export function isCapturedSession(value: unknown): value is CapturedSession {
  if (!isFields(value)) return false;
  const { mark, at, event, digest, sessionKey, stored } = value;
  return (
    (mark === undefined || isMark(mark)) &&
    Number.isFinite(at) &&
    typeof event === 'string' &&
    typeof digest === 'string' &&
    (sessionKey === undefined || typeof sessionKey === 'string') &&
    (stored === undefined || isDoneSoFar(stored))
  );
}

function isMark(value: unknown): value is TranscriptMark {
  if (!isFields(value)) return false;
  const { path, offset, conversation } = value;
  const isOffset = Number.isSafeInteger(offset) && Number(offset) >= 0;
  return typeof path === 'string' && isOffset && isConversation(conversation);
}

/** What is too large was not written by us: it makes room, and somebody can look at it. */
function textOf(dataFolder: string): string {
  const path = join(dataFolder, FILE);
  try {
    return readPlainFile(path, MAX_BYTES, 'own').toString('utf8');
  } catch (error) {
    if (error instanceof FileTooLarge) {
      renameSync(path, `${path}${SET_ASIDE}`);
      logHook(dataFolder, `${error.message}, and was set aside: ${path}${SET_ASIDE}`);
    }
    throw error;
  }
}

/** Calls that have not returned go first; without its mark, the transcript is read again. */
function bounded(key: string, captured: CapturedSession): readonly [string, CapturedSession] {
  const fits = (row: CapturedSession) => Buffer.byteLength(JSON.stringify([key, row])) <= MAX_ROW_BYTES;
  const { mark, ...rest } = captured;
  if (!mark) return [key, rest];
  for (const most of [50, 5, 0]) {
    const row = { ...rest, mark: { ...mark, conversation: withFewerCalls(mark.conversation, most) } };
    if (fits(row)) return [key, row];
  }
  return [key, rest];
}

/** The newest are kept. */
export function writeCapture(dataFolder: string, key: string, captured: CapturedSession, now: number): void {
  const all = new Map(readCaptures(dataFolder)).set(key, captured);
  const kept = [...all]
    .filter(([, { at }]) => now - at <= MAX_AGE_MS)
    .sort(([, one], [, other]) => other.at - one.at)
    .slice(0, MAX_SESSIONS)
    .map(([one, row]) => bounded(one, row));
  writeFileAtomic(join(dataFolder, FILE), JSON.stringify({ v: 1, sessions: Object.fromEntries(kept) }));
}
