import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keccak256, stringToHex, toEventSelector, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import {
  testToken,
  tokenCreation,
  xrc137,
  xrc137Creation,
  xrc729,
  xrc729Creation,
} from '../kit/contracts.js';
import { until } from '../kit/until.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RULE = '{"payload":{"Ä":{"type":"string"}},"rules":["[Ä] != \\"\\""]}';

let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil({ autoMine: true });
});
afterAll(() => anvil?.stop());

const selectors = ({ abi }: typeof xrc137) =>
  Object.fromEntries(
    abi.flatMap((item) => (item.type === 'function' ? [[item.name, toFunctionSelector(item)]] : [])),
  );

describe('the committed contracts', () => {
  it('are what their sources compile to', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/contracts.mjs', '--check'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(stderr).toContain('3 contracts match their sources');
    expect(status).toBe(0);
  });

  it('answer to the selectors of the standard', () => {
    expect(selectors(xrc137)).toMatchObject({
      owner: '0x8da5cb5b',
      getRule: '0xb78ba7c8',
      isEncrypted: '0xebc143ff',
      updateRule: '0x66bed771',
    });
    expect(selectors(xrc729)).toMatchObject({
      owner: '0x8da5cb5b',
      getExecutorList: '0xb6a0a31a',
      getOSTC: '0x9335a4d1',
      getAllOSTC: '0xff283c24',
      getOSTCMeta: '0x3d9b1fcf',
      hasOSTC: '0x6de2fa4a',
      setOSTC: '0x8153529d',
      isExecutor: '0xdebfda30',
    });
    const updated = xrc729.abi.find((item) => item.type === 'event' && item.name === 'OSTCUpdated');
    if (updated?.type !== 'event') throw new Error('no such event');
    expect(toEventSelector(updated)).toBe(
      '0x9fe8112f8bd64ed80b8c5d22c073dbda6a46a703b0ed7f47296f2b9fa03349e6',
    );
  });
});

/** A hash comes back before its block does. */
/** A receipt can be there a moment before the state that it made is the latest. */
const mined = async (sending: Promise<`0x${string}`>) => {
  const hash = await sending;
  const { status, blockNumber } = await anvil.client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  expect(status).toBe('success');
  await until(
    () => anvil.client.getBlockNumber({ cacheTime: 0 }),
    (latest) => latest >= blockNumber,
  );
};

describe('Xrc137', () => {
  it('keeps the text as it came, and only its owner changes it', async () => {
    const address = await anvil.deploy(0, xrc137Creation(RULE));
    const read = (functionName: string) => anvil.client.readContract({ ...xrc137, address, functionName });
    expect(await read('getRule')).toBe(RULE);
    expect(await read('getRuleHash')).toBe(keccak256(stringToHex(RULE)));
    expect(await read('getRuleVersion')).toBe(1n);
    expect(await read('isEncrypted')).toBe(false);
    expect(await read('owner')).toBe(anvil.account(0).address);

    const update = { ...xrc137, address, functionName: 'updateRule', args: ['XGR1abc'] } as const;
    await expect(anvil.client.simulateContract({ ...update, account: anvil.account(1) })).rejects.toThrow(
      'NotOwner',
    );
    await mined(anvil.client.writeContract({ ...update, account: anvil.account(0) }));
    expect(await read('getRule')).toBe('XGR1abc');
    expect(await read('isEncrypted')).toBe(true);
    expect(await read('getRuleVersion')).toBe(2n);
  });
});

describe('Xrc729', () => {
  it('keeps documents and executors, and reverts on an unknown id', async () => {
    const executor = anvil.account(2).address;
    const address = await anvil.deploy(0, xrc729Creation({ a: '{"id":"a"}', b: '{"id":"b"}' }, [executor]));
    const read = (functionName: string, ...args: unknown[]) =>
      anvil.client.readContract({ ...xrc729, address, functionName, args });
    const write = (functionName: string, ...args: unknown[]) =>
      mined(
        anvil.client.writeContract({ ...xrc729, address, functionName, args, account: anvil.account(0) }),
      );

    expect(await read('getOSTC', 'a')).toBe('{"id":"a"}');
    await expect(read('getOSTC', 'none')).rejects.toThrow('NotFound');
    expect(await read('getExecutorList')).toEqual([executor]);
    expect(await read('isExecutor', executor)).toBe(true);

    await write('setOSTC', 'a', '{"id":"a","structure":{}}');
    expect(await read('getOSTCMeta', 'a')).toMatchObject([
      keccak256(stringToHex('{"id":"a","structure":{}}')),
      2n,
      expect.any(BigInt),
    ]);
    await write('deleteOSTC', 'a');
    expect(await read('getAllOSTC')).toEqual(['b']);
    expect(await read('hasOSTC', 'a')).toBe(false);
    await write('deleteOSTC', 'b');
    expect(await read('getAllOSTC')).toEqual([]);
    await write('removeExecutor', executor);
    expect(await read('getExecutorList')).toEqual([]);
    await expect(write('addExecutor', `0x${'0'.repeat(40)}`)).rejects.toThrow('ZeroAddress');
  });
});

describe('TestToken', () => {
  it('moves what is there and no more', async () => {
    const address = await anvil.deploy(0, tokenCreation(100n));
    const to = anvil.account(1).address;
    const transfer = (value: bigint) =>
      anvil.client.writeContract({
        ...testToken,
        address,
        functionName: 'transfer',
        args: [to, value],
        account: anvil.account(0),
      });
    await transfer(60n);
    await expect(transfer(60n)).rejects.toThrow('BalanceTooLow');
    expect(
      await anvil.client.readContract({ ...testToken, address, functionName: 'balanceOf', args: [to] }),
    ).toBe(60n);
    expect(await anvil.client.readContract({ ...testToken, address, functionName: 'symbol' })).toBe('TUSD');
  });
});
