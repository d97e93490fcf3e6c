/**
 * Finds key material by the exact name of its field, at any depth, without regard to case and to anything but letters
 * and digits. The server refuses it before anything is stored. Values have rules of their own, which need word lists.
 */
import { isFields } from '../../fields.js';
import { normalForm } from '../../normal-form.js';
import { isSecretKey, REDACTED } from './secret-keys.js';

const ALWAYS: ReadonlySet<string> = new Set(['privatekey', 'mnemonic', 'seedphrase', 'walletsecret']);
/** Also refused in a session request, except in its payloads: there a business field may have such a name. */
const IN_SESSIONS: ReadonlySet<string> = new Set(['permit', 'signature']);

export const KEY_MATERIAL_CODE = 'SENSITIVE_FIELD_REJECTED';
export const KEY_MATERIAL_MESSAGE =
  'a field is named like key material; this server never takes private keys, phrases or signatures';

/** The rules by which values are found to be key material. */
export const KEY_RULES = ['phrase', 'base58', 'pem', 'keystore', 'hex'] as const;
export type KeyRule = (typeof KEY_RULES)[number];

const folded = (key: string): string =>
  normalForm(key, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

export function hasKeyMaterial(value: unknown): boolean {
  return searchEntries(value, (key) => ALWAYS.has(folded(key)));
}

/** In a session request signatures are refused, too, except inside `sessions[].payload`. */
export function hasKeyMaterialInSessionRequest(request: unknown): boolean {
  if (hasKeyMaterial(request)) return true;
  const banned = (key: string) => IN_SESSIONS.has(folded(key));
  if (!isFields(request)) return searchEntries(request, banned);
  const { sessions, ...rest } = request;
  return searchEntries(rest, banned) || searchEntries(withoutPayloads(sessions), banned);
}

function withoutPayloads(sessions: unknown): unknown {
  if (!Array.isArray(sessions)) return sessions;
  return sessions.map((session: unknown) => {
    if (!isFields(session) || !isFields(session.payload)) return session;
    const { payload: _payload, ...rest } = session;
    return rest;
  });
}

/** Whether a result callback holds a sensitive key whose value is not redacted. */
export function hasUnredactedSecret(value: unknown): boolean {
  return searchEntries(value, (key, member) => {
    const name = folded(key);
    const sensitive = ALWAYS.has(name) || IN_SESSIONS.has(name) || name === 'seed' || isSecretKey(key);
    return sensitive && member !== REDACTED;
  });
}

function searchEntries(value: unknown, bad: (key: string, member: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => searchEntries(item, bad));
  if (!isFields(value)) return false;
  return Object.entries(value).some(([key, item]) => bad(key, item) || searchEntries(item, bad));
}
