import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { FaultCode, HandoverError } from '@handover/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySignature } from './ed25519.js';
import { memoryKeyring, openKeyring, readPublicKeys } from './keyring.js';

let folder: string;
const file = () => join(folder, 'receipt-keys.json');
const bytes = Buffer.from('a receipt');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handover-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the keyring', () => {
  it('makes a key on first use, private, and keeps it', () => {
    expect(readPublicKeys(folder)).toBeUndefined();
    const first = openKeyring(folder);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['receipt-keys.json']);
    expect(openKeyring(folder).publicKeys()).toEqual(first.publicKeys());
    expect(readPublicKeys(folder)).toEqual(first.publicKeys());
  });

  it('signs what can be verified with the public key alone', () => {
    for (const keyring of [memoryKeyring(), openKeyring(folder)]) {
      const { keyId, signature } = keyring.sign(bytes);
      const [key] = keyring.publicKeys();
      expect(key?.keyId).toBe(keyId);
      expect(signature).toHaveLength(64);
      const publicKey = key?.publicKey ?? '';
      expect(verifySignature(publicKey, bytes, signature)).toBe(true);
      expect(verifySignature(publicKey, Buffer.from('a receipT'), signature)).toBe(false);
      const raw = Buffer.from(publicKey, 'base64');
      expect(keyId).toBe(createHash('sha256').update(raw).digest('hex').slice(0, 16));
    }
  });

  it('verification says no to everything else, and never throws', () => {
    const keyring = memoryKeyring();
    const { signature } = keyring.sign(bytes);
    const publicKey = keyring.publicKeys()[0]?.publicKey ?? '';
    const stranger = memoryKeyring().publicKeys()[0]?.publicKey ?? '';
    for (const key of [stranger, '', 'AAAA', publicKey.slice(4), 'ä'.repeat(32)]) {
      expect(verifySignature(key, bytes, signature)).toBe(false);
    }
    for (const wrong of [
      new Uint8Array(),
      new Uint8Array(64),
      signature.slice(1),
      Buffer.concat([signature, bytes]),
    ]) {
      expect(verifySignature(publicKey, bytes, wrong)).toBe(false);
    }
    const flipped = signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte));
    expect(verifySignature(publicKey, bytes, flipped)).toBe(false);
  });

  it('shows no private key', () => {
    const keyring = openKeyring(folder);
    const stored: { keys: { privateKey: string }[] } = JSON.parse(readFileSync(file(), 'utf8'));
    const secret = stored.keys[0]?.privateKey ?? '';
    expect(secret.length).toBeGreaterThan(40);
    expect(inspect(keyring, { depth: null, showHidden: true }) + JSON.stringify(keyring)).not.toContain(
      secret,
    );
  });

  it('signs with the last key and knows the earlier ones', () => {
    const old = openKeyring(folder);
    const text = readFileSync(file(), 'utf8');
    rmSync(file());
    const young = openKeyring(folder);
    const keys = [text, readFileSync(file(), 'utf8')].flatMap(
      (json) => (JSON.parse(json) as { keys: unknown[] }).keys,
    );
    writeFileSync(file(), JSON.stringify({ format: 'handover-keyring@1', keys }));
    const both = openKeyring(folder);
    expect(both.keyId).toBe(young.keyId);
    expect(both.publicKeys().map(({ keyId }) => keyId)).toEqual([old.keyId, young.keyId]);
  });

  it('stops at a file that it does not understand, and leaves it as it is', () => {
    openKeyring(folder);
    const good = readFileSync(file(), 'utf8');
    const broken = [
      '',
      'null',
      '{}',
      good.slice(0, -20),
      good.replace('keyring@1', 'keyring@2'),
      good.replace(/"keyId": "../, '"keyId": "zz'),
      good.replace(/"privateKey": "[^"]*"/, '"privateKey": "AAAA"'),
      '{"format":"handover-keyring@1","keys":[]}',
      '{"format":"handover-keyring@1","keys":[null]}',
    ];
    for (const text of broken) {
      writeFileSync(file(), text);
      const fault = catchFault(() => openKeyring(folder));
      expect(fault.code).toBe(FaultCode.CONFIGURATION);
      expect(inspect(fault, { depth: null })).not.toContain('MC4C');
      expect(readFileSync(file(), 'utf8')).toBe(text);
    }
  });
});

function catchFault(run: () => unknown): HandoverError {
  try {
    run();
  } catch (error) {
    if (error instanceof HandoverError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
