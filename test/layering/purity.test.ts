/** Core and engine read no clock and no randomness, and core decides without waiting; evm is held to it as well. */
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.js';

const sources = readSources();
const below = (folder: string) => sources.filter(({ path }) => path.startsWith(folder));
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

const IMPURE =
  /\bDate\.now\b|\bnew Date\b|\bDate\(|\bMath\.random\b|\bperformance\.|\bcrypto\.|\bprocess\.|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bIntl\.|toLocale/;
const WAITING = /\basync\b|\bawait\b|\bPromise\b/;

describe('purity', () => {
  const pure = [...below('core/src/'), ...below('evm/src/'), ...below('engine/src/')];

  it('core, evm and engine read no clock, no randomness, no process and start no timer', () => {
    expect(pure.length).toBeGreaterThan(100);
    const hits = pure.filter(({ text }) => IMPURE.test(withoutComments(text))).map(({ path }) => path);
    expect(hits).toEqual([]);
  });

  it('core decides without waiting', () => {
    const hits = below('core/src/').filter(({ text }) => WAITING.test(withoutComments(text)));
    expect(hits.map(({ path }) => path)).toEqual([]);
  });

  it('notices a breach when there is one', () => {
    expect(IMPURE.test(withoutComments('const at = Date.now();'))).toBe(true);
    expect(IMPURE.test(withoutComments('// Date.now() is not for us'))).toBe(false);
    expect(WAITING.test(withoutComments('async () => {}'))).toBe(true);
  });
});
