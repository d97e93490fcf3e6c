/** hardening:H1: a text on a chain is read up to its limit, and not decoded beyond it. */
import { encodeText } from '@handover/evm';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../config/fixed-limits.js';
import { readRuleText } from './read-xrc.js';

const MOST = fixedLimits.contractTextBytes.value;
const ADDRESS = `0x${'1'.repeat(40)}` as const;
const contract = (bytes: number) => ({ call: async () => `0x${encodeText('x'.repeat(bytes))}` as const });

describe('the text of a contract', () => {
  it('is read up to the limit', async () => {
    expect(await readRuleText(contract(MOST), ADDRESS)).toHaveLength(MOST);
  });

  it('is nothing beyond it', async () => {
    expect(await readRuleText(contract(MOST + 33), ADDRESS)).toBeUndefined();
  });
});
