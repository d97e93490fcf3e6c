import { readFileSync } from 'node:fs';
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import { creationData, setOstcData } from './creation-data.js';

describe('bytes that deploy', () => {
  const artifact = (name: string) =>
    JSON.parse(
      readFileSync(new URL(`../../../../contracts/build/${name}.json`, import.meta.url), 'utf8'),
    ) as { abi: Abi; bytecode: `0x${string}` };

  it('are those of another implementation', () => {
    const [rule, registry] = [artifact('Xrc137'), artifact('Xrc729')];
    const text = '{"ä":"…"}'.repeat(9);
    expect(creationData(rule.bytecode, { kind: 'xrc137', text })).toBe(
      encodeDeployData({ ...rule, args: [text] }),
    );
    expect(creationData(registry.bytecode, { kind: 'xrc729', text, ostcId: 'a' })).toBe(
      encodeDeployData({ ...registry, args: [['a'], [text], []] }),
    );
    expect(setOstcData('a', text)).toBe(
      encodeFunctionData({ abi: registry.abi, functionName: 'setOSTC', args: ['a', text] }),
    );
  });
});
