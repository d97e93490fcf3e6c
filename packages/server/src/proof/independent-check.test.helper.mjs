/**
 * Checks a receipt with node:crypto and nothing of this project, as somebody would who was only told the format:
 *
 *   node independent-check.test.helper.mjs receipt.json [<public key, base64>]
 *
 * Exit 0: signed by that key. 2: signed, by a key that was not given. 1: not as it was signed.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** RFC 8785, for texts, whole numbers, booleans and objects: all that a receipt holds. */
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

/** Bytes of base64 in its one canonical spelling, or none. */
function bytesOf(base64, length) {
  const bytes = Buffer.from(String(base64), 'base64');
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : undefined;
}

/** @returns {{ valid: boolean, known: boolean }} */
export function checkReceipt(text, trustedKey) {
  const { signature, ...signed } = JSON.parse(text);
  const raw = bytesOf(signed.public_key, 32);
  const mark = bytesOf(signature, 64);
  const no = { valid: false, known: false };
  if (!/^handover-receipt@[12]$/.test(signed.format) || !raw || !mark) return no;
  if (createHash('sha256').update(raw).digest('hex').slice(0, 16) !== signed.key_id) return no;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const bytes = Buffer.from(`handover-receipt/1:${canonical(signed)}`, 'utf8');
  const valid = verify(null, bytes, key, mark);
  return { valid, known: valid && signed.public_key === trustedKey };
}

const [, script, file, trusted] = process.argv;
if (script && file && import.meta.url === pathToFileURL(script).href) {
  const { valid, known } = checkReceipt(readFileSync(file, 'utf8'), trusted);
  console.log(!valid ? 'NOT VALID' : known ? 'valid, signed by the given key' : 'valid, signer unknown');
  process.exitCode = !valid ? 1 : known ? 0 : 2;
}
