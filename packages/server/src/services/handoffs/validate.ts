/**
 * Arguments as the service takes them, whatever door they came through. Each check names a field; all that is wrong is
 * said at once, so that a model can put it right in one go.
 */
import {
  ContextType,
  isBlank,
  isId,
  type JsonObject,
  type Rejection,
  RejectionCode,
  RequestType,
  rejectWith,
} from '@handover/core';

export const MAX_KEY_CHARACTERS = 255;
export const MAX_AGENT_CHARACTERS = 100;
export const MAX_METADATA_BYTES = 65_536;
export const MAX_METADATA_DEPTH = 32;
export const MAX_REASON_CHARACTERS = 4_096;

const NOT_IN_NAMES = /[\p{Cc}\p{Cs}]/u;

/** Undefined: nothing is wrong. */
export type Check = readonly [field: string, flaw: string | undefined];

export function refuse(...checks: readonly Check[]): Rejection | undefined {
  const issues = checks.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
  if (issues.length === 0) return undefined;
  const said = issues.map(({ field, message }) => `${field} ${message}`).join('; ');
  return rejectWith(RejectionCode.VALIDATION_ERROR, said, { field: issues[0]?.field ?? '', issues });
}

export function sessionKeyCheck(key: string): Check {
  const fits = [...key].length <= MAX_KEY_CHARACTERS && !isBlank(key) && !NOT_IN_NAMES.test(key);
  return ['sessionKey', fits ? undefined : 'must be 1 to 255 characters, without control characters'];
}

export function agentCheck(field: string, agent: string): Check {
  const fits = [...agent].length <= MAX_AGENT_CHARACTERS && !isBlank(agent) && isId(agent);
  return [field, fits ? undefined : 'must be 1 to 100 characters, without control characters'];
}

export function oneOfCheck(field: string, value: string, words: Readonly<Record<string, string>>): Check {
  const known = Object.values(words);
  return [field, known.includes(value) ? undefined : `must be one of ${known.join(', ')}`];
}

export const contextTypeCheck = (value: string): Check => oneOfCheck('contextType', value, ContextType);
export const requestTypeCheck = (value: string): Check => oneOfCheck('requestType', value, RequestType);

export function textCheck(field: string, text: string, maxBytes: number): Check {
  if (/\p{Cs}/u.test(text)) return [field, 'has text that is not valid Unicode'];
  const bytes = Buffer.byteLength(text);
  return [field, bytes > maxBytes ? `has ${bytes} bytes; at most ${maxBytes} are allowed` : undefined];
}

export function reasonCheck(field: string, text: string | undefined): Check {
  if (text === undefined) return [field, undefined];
  if (text.length > MAX_REASON_CHARACTERS)
    return [field, `has more than ${MAX_REASON_CHARACTERS} characters`];
  return textCheck(field, text, Number.MAX_SAFE_INTEGER);
}

/** Depth first, without recursion: how deep it goes is what is in question. */
export function jsonCheck(field: string, value: JsonObject | undefined): Check {
  if (value === undefined) return [field, undefined];
  const open: [unknown, number][] = [[value, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth > MAX_METADATA_DEPTH) return [field, `is nested more than ${MAX_METADATA_DEPTH} deep`];
    for (const member of Object.values(item)) open.push([member, depth + 1]);
  }
  return textCheck(field, JSON.stringify(value), MAX_METADATA_BYTES);
}

export function sequenceCheck(expected: number | undefined): Check {
  const fits = expected === undefined || (Number.isSafeInteger(expected) && expected >= 0);
  return ['expectedSequence', fits ? undefined : 'must be a whole number, 0 or more'];
}

export function keyCheck(key: string | undefined): Check {
  return ['idempotencyKey', key === undefined || isId(key) ? undefined : 'must be 1 to 256 bytes'];
}
