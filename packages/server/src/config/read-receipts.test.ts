import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { HandoverError } from '@handover/core';
import { afterAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { keyIdOf, rawPublicKey, verifySignature } from '../keys/ed25519.js';
import { readJwks } from '../keys/jwks.js';
import { memoryKeyring } from '../keys/keyring.js';
import { receiptKeysOf } from '../keys/receipt-keys.js';
import { readConfiguration } from './configuration.js';
import type { Environment } from './setting-reader.js';

const folder = mkdtempSync(join(tmpdir(), 'handover-receipt-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const jwk = privateKey.export({ format: 'jwk' });
const raw = rawPublicKey(publicKey);
const own = { kid: keyIdOf(raw), publicKey: raw.toString('base64') };
const other = rawPublicKey(generateKeyPairSync('ed25519').publicKey);
const publicJwk = (kid: string, x = other.toString('base64url')) => ({ kty: 'OKP', crv: 'Ed25519', kid, x });

let files = 0;
function file(text: string): string {
  const path = join(folder, `${++files}`);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}
const setOf = (...keys: readonly object[]) => file(JSON.stringify({ keys }));
const read = (env: Environment) => readConfiguration(env, { dev: true, memoryOnly: true }).receipts;
function problems(env: Environment): Readonly<Record<string, unknown>> {
  try {
    read(env);
  } catch (thrown) {
    if (thrown instanceof HandoverError) return thrown.details;
  }
  return {};
}

const PATH = 'MACP_RECEIPT_SIGNING_KEY_PATH';
const KEY = 'MACP_RECEIPT_SIGNING_KEY';
const KID = 'MACP_RECEIPT_SIGNING_KID';
const PUBLIC = 'MACP_RECEIPT_PUBLIC_KEYS_PATH';

describe('the settings of receipts', () => {
  it(`${verifies('macp-2026:14.4:settings')}take a key as PEM or JWK, in a file or not`, () => {
    expect(read({})).toEqual({ retired: [] });
    for (const [env, kid] of [
      [{ [PATH]: file(pem) }, own.kid],
      [{ [KEY]: pem }, own.kid],
      [{ [KEY]: JSON.stringify(jwk) }, own.kid],
      [{ [PATH]: file(JSON.stringify({ ...jwk, kid: 'mine' })) }, 'mine'],
      [{ [KEY]: pem, [KID]: 'told' }, 'told'],
      [{ [KEY]: JSON.stringify({ ...jwk, kid: 'mine' }), [KID]: 'mine' }, 'mine'],
    ] as const) {
      const { signing } = read(env);
      expect(signing).toMatchObject({ kid, publicKey: own.publicKey });
      const bytes = Buffer.from('a receipt');
      expect(verifySignature(own.publicKey, bytes, signing?.sign(bytes) ?? bytes)).toBe(true);
    }
    const { retired, runtimeId } = read({ [PUBLIC]: setOf(publicJwk('old')), MACP_RUNTIME_ID: 'here' });
    expect([retired, runtimeId]).toEqual([[{ kid: 'old', publicKey: other.toString('base64') }], 'here']);
  });

  it.each([
    ['both keys', { [PATH]: file(pem), [KEY]: pem }, KEY, /only one key can sign/],
    ['a name of no key', { [KID]: 'x' }, KID, /names no key/],
    [
      'another name than the JWK has',
      { [KEY]: JSON.stringify({ ...jwk, kid: 'a' }), [KID]: 'b' },
      KID,
      /is not the kid/,
    ],
    [
      'a public key',
      { [KEY]: publicKey.export({ format: 'pem', type: 'spki' }).toString() },
      KEY,
      /no private Ed25519 key/,
    ],
    [
      'another kind of key',
      { [KEY]: generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() },
      KEY,
      /no private Ed25519 key/,
    ],
    [
      'a JWK whose parts do not fit',
      { [KEY]: JSON.stringify({ ...jwk, x: other.toString('base64url') }) },
      KEY,
      /does not belong to its d/,
    ],
    ['no key at all', { [PATH]: file('hello') }, PATH, /no private Ed25519 key/],
    ['a file that is not there', { [PATH]: join(folder, 'none') }, PATH, /cannot be read/],
    ['a retired private key', { [PUBLIC]: setOf({ ...jwk, kid: 'x' }) }, PUBLIC, /a private key/],
    ['a kid twice', { [PUBLIC]: setOf(publicJwk('x'), publicJwk('x', own.publicKey)) }, PUBLIC, /keys\[1\]/],
    ['no kid', { [PUBLIC]: setOf({ ...publicJwk('x'), kid: '' }) }, PUBLIC, /without a kid/],
    ['another curve', { [PUBLIC]: setOf({ ...publicJwk('x'), crv: 'X25519' }) }, PUBLIC, /not for Ed25519/],
    ['half a key', { [PUBLIC]: setOf(publicJwk('x', 'AAAA')) }, PUBLIC, /32 bytes/],
    ['no set', { [PUBLIC]: file('[]') }, PUBLIC, /no JSON Web Key Set/],
    [
      'the active kid for another key',
      { [KEY]: pem, [KID]: 'x', [PUBLIC]: setOf(publicJwk('x')) },
      PUBLIC,
      /never names two keys/,
    ],
    ['a name with a control character', { MACP_RUNTIME_ID: 'a\nb' }, 'MACP_RUNTIME_ID', /control characters/],
  ])(
    `${verifies('macp-2026:14.4:settings')}%s stops the start, and nothing of it is shown`,
    (_, env, name, text) => {
      const said = problems(env);
      expect(Object.keys(said)).toContain(name);
      expect(String(said[name])).toMatch(text);
      for (const secret of [String(jwk.d), pem.split('\n')[1] ?? '']) {
        expect(inspect(said, { depth: null })).not.toContain(secret);
        expect(inspect(read({ [KEY]: pem }), { depth: null, showHidden: true })).not.toContain(secret);
      }
    },
  );
});

describe('the keys of receipts', () => {
  const keyring = memoryKeyring();
  const [folderKey] = keyring.publicKeys();

  it(`${verifies('macp-2026:14.4:jwks')}the operator's key signs, that of the folder and the retired ones stay published`, () => {
    const { signing, retired } = read({ [KEY]: pem, [KID]: 'new', [PUBLIC]: setOf(publicJwk('old')) });
    const keys = receiptKeysOf(keyring, { retired, ...(signing && { signing }) });
    expect(keys.signer).toMatchObject({ keyId: own.kid, publicKey: own.publicKey });
    expect(keys.published.map(({ kid }) => kid)).toEqual(['new', keyring.keyId, 'old']);
    expect(readJwks(keys.jwks)).toEqual(keys.published);
    // The name of the server does not follow the key that signs.
    expect(keys.issuer).toBe(receiptKeysOf(keyring, { retired: [] }).issuer);
    expect(keys.issuer).toBe(`runtime:handover-${folderKey?.keyId}`);
  });

  it(`${verifies('macp-2026:14.4:settings')}a kid of the folder cannot name another key`, () => {
    const { signing } = read({ [KEY]: pem, [KID]: keyring.keyId });
    expect(() => receiptKeysOf(keyring, { retired: [], ...(signing && { signing }) })).toThrow(/same kid/);
    const again = receiptKeysOf(keyring, {
      retired: [{ kid: keyring.keyId, publicKey: folderKey?.publicKey ?? '' }],
    });
    expect(again.published).toHaveLength(1);
  });
});
