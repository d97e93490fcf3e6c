/**
 * Checks before the network. Each throws MacpSessionError that names the argument; the runtime's own checks stay the
 * authority, these only spare a round trip where the answer is certain.
 */
import { isId, isSessionId, MAX_OLDER_SESSION_ID_BYTES } from '@handover/core';
import { fail, given, validateRequiredField, validateTexts } from './arguments.js';
import { MAX_PARTICIPANTS, MAX_TTL_MS } from './constants.js';

/** Who answers is who sends: runtimes refuse the name of anybody else. */
export function validateSpeaker(name: string, value: string, sender: string): void {
  validateTexts({ [name]: value });
  if (value !== '' && sender !== '' && value !== sender) fail(name, `must be the sender, "${sender}"`);
}

/** A list of texts: a text alone would be sent letter by letter. */
export function validateTextList(name: string, values: readonly string[]): void {
  if (!Array.isArray(values)) fail(name, 'must be a list of texts');
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'string') fail(`${name}[${index}]`, 'must be a text');
    validateTexts({ [`${name}[${index}]`]: value });
  }
}

/** A message, handoff, participant or policy id: 1 to 256 bytes, not blank, no control characters. */
export function validateId(name: string, value: string | undefined): void {
  validateRequiredField(name, value);
  if (!isId(value ?? '')) fail(name, 'must be 1 to 256 bytes without control characters');
}

/** Bytes, not text: a string would need an encoding that nobody named. */
export function validateBytes(name: string, value: Uint8Array | undefined): void {
  if (value !== undefined && !(value instanceof Uint8Array)) fail(name, 'must be a Uint8Array or Buffer');
}

/**
 * A lowercase UUID of version 4 or 7, or at least 22 URL-safe characters. Older sessions may have a longer id than one that
 * is started now; which it is, the server knows.
 */
export function validateSessionId(sessionId: string): void {
  validateRequiredField('sessionId', sessionId);
  if (!isSessionId(sessionId, MAX_OLDER_SESSION_ID_BYTES))
    fail('sessionId', 'must be a lowercase UUID of version 4 or 7, or at least 22 of [A-Za-z0-9_-]');
}

/** A whole number of milliseconds from 1 to one day. */
export function validateTtlMs(ttlMs: number): void {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_TTL_MS)
    fail('ttlMs', `must be a whole number from 1 to ${MAX_TTL_MS}`);
}

/** A whole number of milliseconds, 0 or more. */
export function validateMaxSuspendMs(maxSuspendMs: number): void {
  if (!Number.isSafeInteger(maxSuspendMs) || maxSuspendMs < 0)
    fail('maxSuspendMs', 'must be a whole number, 0 or more');
}

/** At most 1,000 participants. */
export function validateParticipantCount(count: number): void {
  if (count > MAX_PARTICIPANTS) fail('participants', `has ${count} names; at most ${MAX_PARTICIPANTS}`);
}

/** A non-empty list of ids, none blank, none twice. */
export function validateParticipants(participants: readonly string[], argument = 'participants'): void {
  if (!Array.isArray(participants)) fail(argument, 'must be a list of names');
  if (participants.length === 0) fail(argument, 'is empty');
  validateParticipantCount(participants.length);
  const seen = new Set<string>();
  for (const [index, name] of participants.entries()) {
    validateId(`${argument}[${index}]`, name);
    if (seen.has(name.trim())) fail(`${argument}[${index}]`, 'is named twice');
    seen.add(name.trim());
  }
}

/** The type of a Signal may not be blank. */
export function validateSignalType(signalType: string): void {
  validateRequiredField('signalType', signalType);
}

/** A confidence lies between 0 and 1. */
export function validateConfidence(confidence: number): void {
  if (!(typeof confidence === 'number' && confidence >= 0 && confidence <= 1))
    fail('confidence', 'must lie between 0 and 1');
}

/** One of a closed set of words, in any case of letters; returns it as the protocol writes it. */
export function validateWord<W extends string>(
  name: string,
  word: string,
  words: Readonly<Record<string, W>>,
): W {
  const known = Object.values(words);
  const found = known.find((one) => one.toLowerCase() === String(word).toLowerCase());
  return found ?? fail(name, `must be one of ${known.join(', ')}`);
}

/** A number that is one. */
export function validateFinite(name: string, value: number): void {
  if (!Number.isFinite(value)) fail(name, 'must be a number');
}

/** A whole number from one to another. */
export function validateWhole(name: string, value: number, low: number, high: number): void {
  if (!Number.isSafeInteger(value) || value < low || value > high)
    fail(name, `must be a whole number from ${low} to ${high}`);
}

/** Roots: each has a uri, and may have a name. */
export function validateRoots(
  roots: readonly { readonly uri: string; readonly name: string }[] | undefined,
): void {
  if (roots === undefined) return;
  if (!Array.isArray(roots)) fail('roots', 'must be a list');
  for (const [index, root] of roots.entries()) {
    const { uri, name } = given(`roots[${index}]`, root);
    validateRequiredField(`roots[${index}].uri`, uri);
    validateTexts({ [`roots[${index}].name`]: name });
  }
}

/** A place in a history; 0 is before its beginning. */
export function validateSequence(afterSequence: number): void {
  validateWhole('afterSequence', afterSequence, 0, Number.MAX_SAFE_INTEGER);
}

/** A moment in whole milliseconds, or 0 for none. */
export function validateUnixMs(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    fail(name, 'must be a whole number of milliseconds, 0 or more');
}

/** What `validateSessionStart` looks at. */
export interface SessionStartInput {
  /** What the session is for. */
  readonly intent: string;
  /** Who takes part. */
  readonly participants: readonly string[];
  /** Life of the session in milliseconds. */
  readonly ttlMs: number;
  /** The mode version. */
  readonly modeVersion: string;
  /** The configuration. */
  readonly configurationVersion: string;
  /** The policy. */
  readonly policyVersion?: string;
  /** The longest time the session may be suspended in all. */
  readonly maxSuspendMs?: number;
}

/** Intent, participants, times and versions of a SessionStart. */
export function validateSessionStart(input: SessionStartInput): void {
  validateRequiredField('intent', input.intent);
  validateParticipants(input.participants);
  validateTtlMs(input.ttlMs);
  validateMaxSuspendMs(input.maxSuspendMs ?? 0);
  validateId('modeVersion', input.modeVersion);
  validateId('configurationVersion', input.configurationVersion);
  if (input.policyVersion !== undefined) validateId('policyVersion', input.policyVersion);
}

const COMMITMENT_HASH = /^sha256:[0-9a-f]{64}$/;

/** The reference to an earlier Commitment: its session and its hash. */
export function validateCommitmentRef(ref: {
  readonly sessionId: string;
  readonly commitmentHash: string;
}): void {
  given('supersedes', ref);
  validateRequiredField('supersedes.sessionId', ref.sessionId);
  if (typeof ref.commitmentHash !== 'string' || !COMMITMENT_HASH.test(ref.commitmentHash))
    fail('supersedes.commitmentHash', 'must be "sha256:" and 64 lowercase hex digits');
}
