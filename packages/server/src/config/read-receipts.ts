import { isId } from '@handover/core';
import { type NamedKey, readJwks } from '../keys/jwks.js';
import type { ReceiptSettings } from '../keys/receipt-keys.js';
import { readSigningKey, type SigningKey } from '../keys/signing-key.js';
import { readNamedFile, warnIfReadableByOthers } from './read-file.js';
import type { SettingReader } from './setting-reader.js';

const RUNTIME = 'MACP_RUNTIME_ID';
const PATH = 'MACP_RECEIPT_SIGNING_KEY_PATH';
const KEY = 'MACP_RECEIPT_SIGNING_KEY';
const KID = 'MACP_RECEIPT_SIGNING_KID';
const PUBLIC = 'MACP_RECEIPT_PUBLIC_KEYS_PATH';
const NAME_RULE = 'must be 1 to 256 bytes without control characters';

export function readReceipts(reader: SettingReader): ReceiptSettings {
  const runtimeId = reader.given(RUNTIME);
  if (runtimeId !== undefined && !isId(runtimeId)) reader.problem(RUNTIME, NAME_RULE);
  const signing = readSigning(reader);
  const retired = readRetired(reader, signing);
  return Object.freeze({
    ...(runtimeId !== undefined && { runtimeId }),
    ...(signing && { signing }),
    retired,
  });
}

function readSigning(reader: SettingReader): SigningKey | undefined {
  const kid = reader.given(KID);
  const inline = reader.given(KEY);
  if (kid !== undefined && !isId(kid)) reader.problem(KID, NAME_RULE);
  if (inline !== undefined && reader.isSet(PATH)) {
    reader.problem(KEY, `is set beside ${PATH}: only one key can sign`);
    return undefined;
  }
  const name = inline === undefined ? PATH : KEY;
  const text = inline ?? readNamedFile(reader, PATH);
  warnIfReadableByOthers(reader, PATH);
  if (text === undefined) {
    if (kid !== undefined && !reader.isSet(PATH)) reader.problem(KID, `names no key: set ${PATH}, too`);
    return undefined;
  }
  const key = readSigningKey(text, kid);
  if (!('of' in key)) return key;
  reader.problem(key.of === 'kid' ? KID : name, key.text);
  return undefined;
}

function readRetired(reader: SettingReader, signing: SigningKey | undefined): readonly NamedKey[] {
  const text = readNamedFile(reader, PUBLIC);
  if (text === undefined) return [];
  const keys = readJwks(text);
  if (typeof keys === 'string') {
    reader.problem(PUBLIC, keys);
    return [];
  }
  if (keys.some(({ kid, publicKey }) => kid === signing?.kid && publicKey !== signing.publicKey))
    reader.problem(PUBLIC, 'names another key by the kid of the one that signs: a kid never names two keys');
  return Object.freeze(keys);
}
