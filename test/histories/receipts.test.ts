/** Receipts of the first format stay good: signed as they were, and equal to what their log gives (assistants:2.1). */
import { readdirSync, readFileSync } from 'node:fs';
import { compareReceipt, type Json, makeReceipt, type Receipt, verifyReceipt } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../packages/server/src/keys/ed25519.js';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { readHistory } from './read-histories.js';

/** Of the key that signed the recordings and nothing else. */
const KEY = '6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=';
const HISTORIES: Readonly<Record<string, string>> = {
  'committed.json': 'committed',
  'of-full-handoff-auto-committed.json': 'session/of-full-handoff-auto-committed',
};
const folder = new URL('./receipts/0.1.0/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Receipt;
const check = { codec, verify: verifySignature, known: [KEY] };
const fromLog = (file: string) => makeReceipt(readHistory('0.1.0', HISTORIES[file] ?? '').entries, codec);

describe('receipts of 0.1.0', () => {
  it('are all checked', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(HISTORIES).sort());
  });

  it.each(Object.keys(HISTORIES))('%s is good, and the log says the same', (file) => {
    const receipt = read(file);
    expect(receipt.format).toBe('handover-receipt@1');
    expect(verifyReceipt(receipt as Json, check)).toMatchObject({ ok: true, signer: 'known' });
    expect(compareReceipt(receipt, fromLog(file))).toBeUndefined();
  });

  it.each(Object.keys(HISTORIES))('%s is not good with another holder', (file) => {
    const forged = { ...read(file), holder: 'mallory' };
    expect(verifyReceipt(forged, check)).toMatchObject({ ok: false });
    expect(compareReceipt(forged, fromLog(file))).toMatchObject({ path: 'holder' });
  });

  it('know nothing of the second format', () => {
    const mixed = { ...read('committed.json'), commit: 'on-accept' };
    expect(verifyReceipt(mixed, check)).toMatchObject({ ok: false, flaw: { path: 'commit' } });
  });
});
