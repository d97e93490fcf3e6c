import { expect, it } from 'vitest';
import { hashIn } from './hash-in.js';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;

it('review:2.4 takes a hash, or a link with exactly one', () => {
  for (const text of [
    HASH,
    ` ${HASH.toUpperCase().replace('0X', '0x')}\n`,
    `https://explorer.example/tx/${HASH}?a=1#b`,
  ])
    expect(hashIn(text)).toBe(HASH);
  expect(hashIn(`${HASH} ${HASH}`)).toBe(HASH);
});

it('review:2.4 takes nothing else', () => {
  for (const text of [
    '',
    '0x12',
    HASH.slice(2),
    `${HASH}ab`,
    `x${HASH}`,
    `${HASH} ${OTHER}`,
    `0x${'g'.repeat(64)}`,
  ])
    expect(hashIn(text)).toBeUndefined();
});
