import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainReader } from '../../packages/server/src/chain/chain-reader.js';
import { checkSession } from '../../packages/server/src/chain/check-session.js';
import type { ChainClient } from '../../packages/server/src/chain/port.js';
import { type ExpectedContract, proveContract } from '../../packages/server/src/chain/prove-contract.js';
import { readAuthority, readOstcText, readRuleText } from '../../packages/server/src/chain/read-xrc.js';
import { type Anvil, startAnvil } from '../kit/anvil.js';
import { tokenCreation, xrc137Creation, xrc729, xrc729Creation } from '../kit/contracts.js';
import { startXgrRpc, type XgrRpc } from '../kit/xgr-rpc.js';

const RULE = '{"payload":{"Größe":{"type":"int64","default":0}},"rules":[]}';
const OSTC = '{"id":"invoice","structure":{"Start":{"rule":"0x01"}}}';
const CONFIRMATIONS = 3;

let anvil: Anvil;
let rpc: XgrRpc;
let client: ChainClient;
const lower = (address: string) => address.toLowerCase() as Hex;

beforeAll(async () => {
  anvil = await startAnvil();
  rpc = await startXgrRpc(anvil.url);
  const found = await createChainReader({ rpcs: new Map(), xgrRpc: new URL(rpc.url) }).defaultChain();
  if (!found) throw new Error('no client');
  client = found;
});
afterAll(async () => {
  await rpc?.stop();
  await anvil?.stop();
});

const prove = (expected: ExpectedContract) => proveContract(client, expected, CONFIRMATIONS);

describe('proof of a bundle by state', () => {
  it('a rule is proven when it reads back, belongs to the signer and is deep enough', async () => {
    const address = lower(await anvil.deploy(0, xrc137Creation(RULE)));
    const expected = { address, kind: 'xrc137', text: RULE, owner: anvil.account(0).address } as const;
    expect(await prove(expected)).toEqual({ verdict: 'pending', reason: 'confirming' });
    await anvil.mine(2);
    expect(await prove(expected)).toEqual({ verdict: 'matched' });
    expect(await prove({ ...expected, text: `${RULE} ` })).toEqual({
      verdict: 'mismatched',
      reason: 'rule_differs',
    });
    expect(await prove({ ...expected, owner: anvil.account(1).address })).toEqual({
      verdict: 'mismatched',
      reason: 'owner_differs',
    });
  });

  it('an orchestration is proven under its id alone', async () => {
    const address = lower(await anvil.deploy(0, xrc729Creation({ invoice: OSTC })));
    await anvil.mine(3);
    const owner = anvil.account(0).address;
    const expected = { address, kind: 'xrc729', ostcId: 'invoice', text: OSTC, owner } as const;
    expect(await prove(expected)).toEqual({ verdict: 'matched' });
    for (const change of [{ ostcId: 'other' }, { text: OSTC.replace('Start', 'Stop') }])
      expect(await prove({ ...expected, ...change })).toEqual({
        verdict: 'mismatched',
        reason: 'ostc_differs',
      });
  });

  it('what is not there, or is something else, is never matched', async () => {
    const owner = anvil.account(0).address;
    const nothing = { address: `0x${'99'.repeat(20)}`, kind: 'xrc137', text: RULE, owner } as const;
    expect(await prove(nothing)).toEqual({ verdict: 'pending', reason: 'no_code' });
    const token = lower(await anvil.deploy(0, tokenCreation()));
    await anvil.mine(3);
    expect(await prove({ ...nothing, address: token })).toMatchObject({ verdict: 'mismatched' });
  });

  it('a text that changed after it was proven is mismatched', async () => {
    const address = lower(await anvil.deploy(0, xrc729Creation({ invoice: '{}' })));
    await anvil.mine(3);
    const owner = anvil.account(0).address;
    const expected = { address, kind: 'xrc729', ostcId: 'invoice', text: OSTC, owner } as const;
    expect(await prove(expected)).toMatchObject({ verdict: 'mismatched' });
    await anvil.client.writeContract({
      ...xrc729,
      address,
      functionName: 'setOSTC',
      args: ['invoice', OSTC],
      account: anvil.account(0),
    });
    await anvil.mine();
    expect(await prove(expected)).toEqual({ verdict: 'pending', reason: 'confirming' });
    await anvil.mine(2);
    expect(await prove(expected)).toEqual({ verdict: 'matched' });
  });
});

describe('reads of XRC contracts', () => {
  it('give texts as stored, and who may start', async () => {
    const executor = lower(anvil.account(2).address);
    const rule = lower(await anvil.deploy(0, xrc137Creation(RULE)));
    const registry = lower(await anvil.deploy(0, xrc729Creation({ invoice: OSTC }, [executor])));
    expect(await readRuleText(client, rule)).toBe(RULE);
    expect(await readOstcText(client, registry, 'invoice')).toBe(OSTC);
    expect(await readOstcText(client, registry, 'none')).toBeUndefined();
    expect(await readAuthority(client, registry)).toEqual({
      owner: lower(anvil.account(0).address),
      executors: [executor],
      executorWildcard: false,
      authorityStatus: 'resolved',
    });
    // A rule has an owner and no list: owner only.
    expect(await readAuthority(client, rule)).toMatchObject({ authorityStatus: 'resolved' });
    expect(await readAuthority(client, `0x${'99'.repeat(20)}`)).toEqual({
      executorWildcard: false,
      authorityStatus: 'unavailable',
    });
    expect(await readRuleText(client, `0x${'99'.repeat(20)}`)).toBeUndefined();
  });
});

describe('a started session', () => {
  const session = (sessionId: string) => ({ owner: anvil.account(0).address, sessionId });

  it.each([
    ['alive', { verdict: 'matched' }],
    ['valid', { verdict: 'matched' }],
    ['invalid', { verdict: 'matched' }],
    ['unknown', { verdict: 'pending', reason: 'not_started' }],
  ] as const)('that is %s', async (state, expected) => {
    rpc.setSession(anvil.account(0).address, state, state);
    expect(await checkSession(client, session(state))).toEqual(expected);
  });

  it('of another owner is not this one', async () => {
    rpc.setSession(anvil.account(1).address, '7', 'alive');
    expect(await checkSession(client, session('7'))).toMatchObject({ verdict: 'pending' });
  });

  it('on a node without these methods is pending', async () => {
    const plain = await createChainReader({ rpcs: new Map([[anvil.chainId, new URL(anvil.url)]]) }).chain(
      anvil.chainId,
    );
    if (!plain) throw new Error('no client');
    expect(await checkSession(plain, session('1'))).toEqual({
      verdict: 'pending',
      reason: 'method_unavailable',
    });
  });
});
