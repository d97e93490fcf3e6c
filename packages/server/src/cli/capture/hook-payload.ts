/**
 * What we keep of what a client tells its hook. Nothing that somebody wrote is kept here: words come from the transcript,
 * and are redacted first.
 */
import { isForeign } from './clients.js';

export interface HookPayload {
  readonly session: string;
  readonly transcript?: string;
  readonly cwd?: string;
  /** Of a start: startup, resume, clear, compact or fork. */
  readonly source?: string;
  /** Of a failure: what kind. */
  readonly error?: string;
}

const SESSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const WORD = /^[a-z][a-z0-9_-]{0,39}$/;
const MAX_PATH = 4_096;

/** The payload, or why it is none of ours. */
export function readHookPayload(text: string): HookPayload | string {
  const value = parsed(text);
  if (value === undefined) return 'stdin was no JSON object';
  if (isForeign(value)) return 'another program runs this hook';
  const { session_id: session, transcript_path: transcript, cwd, source, error } = value;
  if (typeof session !== 'string' || !SESSION.test(session)) return 'the payload names no session';
  return {
    session,
    ...(isPath(transcript) && { transcript }),
    ...(isPath(cwd) && { cwd }),
    ...(isWord(source) && { source }),
    ...(isWord(error) && { error }),
  };
}

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/') && value.length <= MAX_PATH && !value.includes('\0');

const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
