/**
 * `__secret`, `__secret1`…: values of a session's payload that the network uses and does not log. This file alone says
 * which keys those are: for validation, redaction, digests, pages and results.
 *
 * K1. A key that begins with `__secret`, in any case, is meant as a secret, and its value is shown to nobody.
 * K2. The network keeps only those secret that stand directly in a payload under a name of its own form. Every other
 *     one is refused, because it would be logged.
 */
import { isFields } from '../../fields.js';
import { below, type Issues } from './issue.js';

export const REDACTED = '[redacted]';

const SECRET_NAME = /^__secret[0-9]{0,4}$/;
// Control characters would let a token break out of a log line or a header.
const SECRET_TEXT = /^[^\p{Cc}]{1,512}$/u;

export const isSecretKey = (key: string): boolean => key.slice(0, 8).toLowerCase() === '__secret';

const CODE = 'SECRET_INVALID';
const ELSEWHERE =
  'name it __secret, __secret1, … at the top of a payload: under other names or deeper the network would log it';

/** One error for each secret below `value`, where none may stand. */
export function refuseSecrets(value: unknown, issues: Issues, path = ''): void {
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) refuseSecrets(item, issues, at(path, String(i)));
  if (!isFields(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (isSecretKey(key)) issues.error(CODE, at(path, key), ELSEWHERE);
    else refuseSecrets(item, issues, at(path, key));
  }
}

/** The secrets of a payload: right names and texts at its top, none deeper. */
export function checkPayloadSecrets(
  payload: Readonly<Record<string, unknown>>,
  issues: Issues,
  path: string,
): void {
  for (const [key, value] of Object.entries(payload)) {
    if (!isSecretKey(key)) refuseSecrets(value, issues, at(path, key));
    else if (!SECRET_NAME.test(key)) issues.error(CODE, at(path, key), ELSEWHERE);
    else if (typeof value !== 'string' || !SECRET_TEXT.test(value))
      issues.error(CODE, at(path, key), 'must be text of 1 to 512 characters without controls');
  }
}

/** Whether a value stands there in the place of one that was hidden: such a request cannot be signed. */
export function holdsRedacted(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsRedacted);
  return isFields(value) ? Object.values(value).some(holdsRedacted) : value === REDACTED;
}

const at = (path: string, name: string): string =>
  path === '' ? below('', name).slice(1) : below(path, name);
