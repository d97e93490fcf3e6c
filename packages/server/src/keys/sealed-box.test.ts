import { createCipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { boxKey, openBox, sealBox } from './sealed-box.js';

const key = boxKey('secret', 'op_1', 'test');
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a sealed box', () => {
  it('opens with its key, for what it is bound to, and not otherwise', () => {
    const box = sealBox(key, 'ä text', bytes('alice'));
    expect(openBox(key, box, bytes('alice'))).toBe('ä text');
    expect(openBox(key, box, bytes('bob'))).toBeUndefined();
    expect(openBox(key, box)).toBeUndefined();
    expect(openBox(boxKey('secret', 'op_2', 'test'), box, bytes('alice'))).toBeUndefined();
    expect(openBox(boxKey('secret', 'op_1', 'other'), box, bytes('alice'))).toBeUndefined();
  });

  it('does not open when a bit of it is changed, or when it is cut off', () => {
    const box = sealBox(key, 'text');
    for (const at of box.keys()) {
      const changed = box.map((byte, i) => (i === at ? byte ^ 1 : byte));
      expect(openBox(key, changed), `byte ${at}`).toBeUndefined();
      expect(openBox(key, box.subarray(0, at)), `${at} bytes`).toBeUndefined();
    }
  });

  it('opens what 0.1.0 sealed: the same key, the same order of parts', () => {
    const old = Buffer.from(hkdfSync('sha256', 'secret', 'op_1', 'test', 32));
    const cipher = createCipheriv('aes-256-gcm', old, Buffer.alloc(12, 7));
    const body = Buffer.concat([cipher.update('sealed before', 'utf8'), cipher.final()]);
    const box = Buffer.concat([Buffer.alloc(12, 7), cipher.getAuthTag(), body]);
    expect(openBox(key, box)).toBe('sealed before');
  });
});
