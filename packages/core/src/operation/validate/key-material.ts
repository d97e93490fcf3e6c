/**
 * Finds key material by the exact name of its field, at any depth, without regard to case and to anything but letters
 * and digits. The server refuses it before anything is stored. Values have rules of their own, which need word lists.
 */
import { isFields } from '../../fields.js';
import { normalForm, partingPlace } from '../../normal-form.js';
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

/** Nothing that is looked for has more letters. */
const MOST_LETTERS = 16;
const PIECE = 64;
/** Of a name, from its beginning: nobody puts more between the letters of a word by mistake. */
const LOOKED_AT = 512;

/** The letters and digits of a name, or so many of the first of them that it is none of those that are looked for. */
function folded(key: string): string {
  let letters = '';
  for (let from = 0; from < Math.min(key.length, LOOKED_AT) && letters.length <= MOST_LETTERS; ) {
    const to = partingPlace(key, Math.min(from + PIECE, key.length));
    letters += normalForm(key.slice(from, to), 'NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
    from = to;
  }
  return letters;
}

const isKeyName = (key: string): boolean => ALWAYS.has(folded(key));

export function hasKeyMaterial(value: unknown): boolean {
  return searchEntries(value, isKeyName);
}

/** In a session request signatures are refused, too, except inside `sessions[].payload`. */
export function hasKeyMaterialInSessionRequest(request: unknown): boolean {
  if (!isFields(request)) return searchEntries(request, isKeyOrSignature);
  const { sessions, ...rest } = request;
  if (searchEntries(rest, isKeyOrSignature)) return true;
  return Array.isArray(sessions) ? sessions.some(hasKeyInSession) : searchEntries(sessions, isKeyOrSignature);
}

function hasKeyInSession(session: unknown): boolean {
  if (!isFields(session) || !isFields(session.payload)) return searchEntries(session, isKeyOrSignature);
  const { payload, ...rest } = session;
  return searchEntries(rest, isKeyOrSignature) || searchEntries(payload, isKeyName);
}

function isKeyOrSignature(key: string): boolean {
  const name = folded(key);
  return ALWAYS.has(name) || IN_SESSIONS.has(name);
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
