import { expect, it } from 'vitest';
import { nodeCodec } from '../../platform/node-codec.js';
import { derivedId } from './ids.js';

it('no id that the server makes could be taken for a flag of a command', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => derivedId(['someone', String(index)], nodeCodec));
  expect(ids.filter((id) => id.startsWith('-'))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
});
