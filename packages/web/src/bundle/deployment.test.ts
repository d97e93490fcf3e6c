import { describe, expect, it } from 'vitest';
import type { Deployment, Step } from '../model/record.js';
import { deploymentTransaction, knownAddresses, placeholders, resolvedText } from './deployment.js';

const RULE = `0x${'ab'.repeat(20)}`;
const process: Deployment = {
  id: 'b/flow',
  kind: 'xrc729',
  bundleId: 'b',
  itemId: 'flow',
  alias: 'flow',
  ostcId: 'flow',
  text: '{"S1":{"rule":"cm:xrc137:R1"},"S2":{"rule":"cm:xrc137:R1"},"note":"cm:xrc137:R1 in a text stays"}',
};
const code = { xrc137: '0x01', xrc729: '0x02' };

describe('deployment', () => {
  it('waits until every rule has an address, and then replaces references only', () => {
    expect(placeholders(process.text)).toEqual(['R1']);
    expect(resolvedText(process, new Map())).toBeUndefined();
    const text = resolvedText(process, new Map([['R1', RULE]]));
    expect(text).toBe(
      `{"S1":{"rule":"${RULE}"},"S2":{"rule":"${RULE}"},"note":"cm:xrc137:R1 in a text stays"}`,
    );
  });

  it('creates, or stores into what is there', () => {
    expect(deploymentTransaction(process, '{}', code)).toMatchObject({
      value: 0n,
      data: expect.stringMatching(/^0x02/),
    });
    const reused = deploymentTransaction({ ...process, reuse: RULE }, '{}', code);
    expect(reused).toMatchObject({ to: RULE, data: expect.stringMatching(/^0x8153529d/) });
  });

  it('knows addresses of its own bundle only, from the server or from receipts', () => {
    const step = (id: string, bundleId: string, contract?: string): Step => ({
      id,
      kind: 'xrc137',
      label: id,
      status: 'confirmed',
      verification: 'matched',
      effect: 'done',
      deployment: { id, kind: 'xrc137', bundleId, itemId: id, alias: id, text: '{}' },
      ...(contract !== undefined && { contract }),
    });
    const steps = [step('R1', 'b', RULE), step('R2', 'b'), step('R3', 'other', RULE)];
    expect(knownAddresses(steps, 'b', new Map([['R2', '0xFF']]))).toEqual(
      new Map([
        ['R1', RULE],
        ['R2', '0xff'],
      ]),
    );
  });
});
