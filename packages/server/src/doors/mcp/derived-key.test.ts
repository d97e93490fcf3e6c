import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { derivedKey, withDerivedKey } from './derived-key.js';
import type { Tool } from './tool.js';

const tool = { input: z.object({ idempotencyKey: z.string().optional() }) } as unknown as Tool;
const keyOf = (id: string | number, args = {}, window = 'w') =>
  withDerivedKey(tool, args, derivedKey(args, window, id)).idempotencyKey;

describe('the key that a request gets when it names none', () => {
  it('assistants:6.3 is the same for the same request, and another for another id, window or content', () => {
    expect(keyOf(1)).toBe(keyOf(1));
    const long = 'x'.repeat(200);
    const keys = [
      keyOf(1),
      keyOf('1'),
      keyOf('"1"'),
      keyOf(2),
      keyOf(1, { a: 1 }),
      keyOf(1, {}, 'v'),
      keyOf(long),
      keyOf(`${long}x`),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('assistants:6.3 is short and plain, whatever the id', () => {
    for (const id of [1, '1', 'é\n', 'x'.repeat(10_000)])
      expect(keyOf(id)).toMatch(/^rpc:w:[\x21-\x7e]{1,64}:[0-9a-f]{16}$/);
  });
});
