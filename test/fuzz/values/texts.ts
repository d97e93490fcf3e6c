/** Texts that programs stumble over, and damage to texts and bytes that were right. */
import type { Random } from './random.js';

export const HOSTILE: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\uffff',
  '\u202egnp.exe',
  '\u2066\u2069\u200d\u200b',
  'é'.normalize('NFD'),
  '𝕏😀👩‍👩‍👧‍👦',
  'ﷺ'.repeat(50),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'length',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '9007199254740993',
  '-1',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%',
  '%ff',
  '{{7*7}}',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '"\\',
  '\\u0000',
  'handoff://',
  'handoff://sessions?cursor=%',
  'Bearer ',
  'op_00000000000000000000000000000000',
  '_runtime',
  'operator',
];

/** Any text: short as a rule, up to `most` characters now and then. */
export function text(random: Random, most = 4_096): string {
  if (random.oneIn(2)) return random.pick(HOSTILE).slice(0, most);
  if (random.oneIn(8))
    return HOSTILE.filter(() => random.oneIn(6))
      .join('')
      .slice(0, most);
  const length = random.size(random.oneIn(20) ? most : Math.min(most, 40));
  if (random.oneIn(10))
    return random.pick(['a', 'é', '"', '\\', '[', '{"a":', ' ', '\u0000', '\ud800']).repeat(length);
  const highest = random.pick([0x7f, 0xff, 0x2fff, 0xffff]);
  return Array.from({ length: Math.min(length, 400) }, () =>
    String.fromCharCode(random.int(highest + 1)),
  ).join('');
}

/** Something that reads like a name. */
export function word(random: Random): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789_-';
  return Array.from({ length: random.between(1, 12) }, () => random.pick([...letters])).join('');
}

/** In the form that ids of sessions have. */
export function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.int(16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function mutateText(random: Random, from: string): string {
  let result = from;
  for (let round = random.between(1, 3); round > 0; round--) {
    const at = random.int(result.length + 1);
    const end = Math.min(result.length, at + random.size(Math.max(2, result.length)));
    const before = result.slice(0, at);
    const change = random.int(6);
    if (change === 0) result = before + result.slice(end);
    else if (change === 1) result = before + text(random, 200) + result.slice(at);
    else if (change === 2) result = before + String.fromCharCode(random.int(0x100)) + result.slice(at + 1);
    else if (change === 3) result = before;
    else if (change === 4)
      result = before + result.slice(at, end).repeat(random.between(2, 5)) + result.slice(end);
    else result = result.slice(at, end) + before + result.slice(end);
  }
  return result;
}

export function mutateBytes(random: Random, from: Uint8Array): Uint8Array {
  const bytes = [...from];
  for (let round = random.between(1, 4); round > 0; round--) {
    const at = random.int(bytes.length + 1);
    const count = random.size(Math.max(2, Math.min(bytes.length, 64)));
    const change = random.int(6);
    if (change === 0) bytes[at] = random.int(256);
    else if (change === 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
    else if (change === 2) bytes.splice(at, count);
    else if (change === 3) bytes.splice(at, 0, ...random.bytes(count));
    else if (change === 4) bytes.splice(at);
    else bytes.splice(at, 0, ...bytes.slice(at, at + count));
  }
  return Uint8Array.from(bytes);
}
