import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readJwks } from './jwks.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const read = (...keys: unknown[]) => readJwks(JSON.stringify({ keys }));

describe('a key set', () => {
  it('ties each key to one algorithm', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ed = generateKeyPairSync('ed25519');
    const result = read(
      jwk(rsa.publicKey),
      jwk(ec.publicKey),
      { ...jwk(ed.publicKey), kid: 'ed' },
      { kty: 'oct', k: 'x'.repeat(43) },
      { kty: 'oct', k: 'not base64url: but long enough to be used!' },
    );
    expect(result.ok && result.keys.map(({ algorithm }) => algorithm)).toEqual([
      'RS256',
      'ES256',
      'EdDSA',
      'HS256',
      'HS256',
    ]);
    expect(result.ok && result.keys[2]?.kid).toBe('ed');
  });

  it('decodes an HS256 key in padded or standard base64, and says so once', () => {
    const bytes = Buffer.from('fb+/'.repeat(11), 'base64');
    const k = (form: 'base64' | 'base64url', padding = '') => ({
      kty: 'oct',
      k: bytes.toString(form) + padding,
    });
    const padded = Buffer.concat([bytes, Buffer.from([1])]);
    const result = read(
      k('base64url'),
      k('base64'),
      { kty: 'oct', k: padded.toString('base64') },
      { kty: 'oct', k: `${padded.toString('base64url')}==` },
    );
    const exported = result.ok ? result.keys.map(({ key }) => key.export()) : [];
    expect(exported).toEqual([bytes, bytes, padded, padded]);
    expect(result.ok && result.warnings).toHaveLength(1);
    expect(result.ok && result.warnings.join()).not.toContain(bytes.toString('base64').slice(0, 8));
  });

  it.each(['not base64url: but long enough to be used!', 'forty+one/characters/and=so/not/base64/at'])(
    'reads %j as text, without a warning',
    (k) => {
      const result = read({ kty: 'oct', k });
      expect(result.ok && [result.keys[0]?.key.export().toString(), result.warnings]).toEqual([k, []]);
    },
  );

  it('passes over what it cannot use', () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const result = read(
      jwk(p384.publicKey),
      { ...jwk(rsa.publicKey), use: 'enc' },
      { ...jwk(rsa.publicKey), alg: 'RS512' },
      { kty: 'future' },
      jwk(rsa.publicKey),
    );
    expect(result.ok && result.keys).toHaveLength(1);
  });

  it.each([
    ['no JSON', 'nonsense', 'must be JSON'],
    ['no list', '{"keys": {}}', 'must be JSON'],
    ['a list of texts', '{"keys": ["a"]}', 'must be JSON'],
    ['nothing', '{"keys": []}', 'no usable'],
    ['a broken key', '{"keys": [{"kty": "RSA", "n": "!", "e": 1}]}', 'malformed'],
    ['a short secret', '{"keys": [{"kty": "oct", "k": "c2hvcnQ"}]}', 'shorter than 32 bytes'],
    ['too many', JSON.stringify({ keys: Array(33).fill({ kty: 'oct' }) }), 'more than 32'],
  ])('refuses %s', (_name, json, flaw) => {
    const result = readJwks(json);
    expect(result.ok ? '' : result.flaw).toContain(flaw);
  });

  it('refuses a private key without showing it, and a short RSA key', () => {
    const exported = jwk(rsa.privateKey);
    const result = read(exported);
    expect(result.ok ? '' : result.flaw).toContain('private key');
    expect(result.ok ? '' : result.flaw).not.toContain(exported.d);
    const short = read(jwk(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey));
    expect(short.ok ? '' : short.flaw).toContain('2048');
  });
});
