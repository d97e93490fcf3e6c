/** What is read of smart accounts, against the contracts themselves and another implementation of the hashes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  hashTypedData,
  keccak256,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import {
  entryPoint06Address,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction';
import { describe, expect, it } from 'vitest';
import { frameNames } from './call.js';
import { type CallFrame, findFrames } from './call-frames.js';
import { plainSafeCall, readExecTransaction, SafeSelector, SafeTopic, safeTxHash } from './safe.js';
import { isKnownSafe } from './safe-deployments.js';
import { effectLines } from './token-effects.js';
import { ENTRY_POINTS, USER_OPERATION_TOPIC } from './user-operation.js';

const FOLDER = dirname(
  createRequire(import.meta.url).resolve('@safe-global/safe-smart-account/package.json'),
);
const safeContract = (path: string) =>
  JSON.parse(readFileSync(`${FOLDER}/build/artifacts/contracts/${path}.json`, 'utf8')) as {
    deployedBytecode: `0x${string}`;
  };

const address = (n: number): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`;
const [SAFE, TOKEN, BOB, EVE] = [address(0x5afe), address(0x70), address(0xb0b), address(0xe0e)];
const asked = { to: BOB, value: 5n, data: '0x' };

describe('a Safe', () => {
  it('review:2.1 its words are those of the contract', () => {
    const abi = parseAbi([
      'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
      'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
      'event ExecutionFromModuleSuccess(address indexed module)',
    ]);
    const topic = (eventName: (typeof abi)[number]['name']) => encodeEventTopics({ abi, eventName })[0];
    expect(SafeTopic).toEqual({
      Success: topic('ExecutionSuccess'),
      Failure: topic('ExecutionFailure'),
      ModuleSuccess: topic('ExecutionFromModuleSuccess'),
    });
    expect(`0x${SafeSelector.Nonce}`).toBe(toFunctionSelector('nonce()'));
    expect(`0x${SafeSelector.Threshold}`).toBe(toFunctionSelector('getThreshold()'));
  });

  it('review:V3 hashes what its owners sign as wallets do', () => {
    const call = plainSafeCall({ to: TOKEN, value: 3n, data: '0xa9059cbb' });
    if (!call) throw new Error('no call');
    const fields =
      'to:address value:uint256 data:bytes operation:uint8 safeTxGas:uint256 baseGas:uint256 gasPrice:uint256 gasToken:address refundReceiver:address nonce:uint256';
    const SafeTx = fields.split(' ').map((field) => {
      const [name = '', type = ''] = field.split(':');
      return { name, type };
    });
    const expected = hashTypedData({
      domain: { chainId: 10, verifyingContract: SAFE },
      types: { SafeTx },
      primaryType: 'SafeTx',
      message: { ...call, nonce: 7n },
    });
    expect(safeTxHash(10, SAFE, call, 7)).toBe(expected);
    for (const other of [
      safeTxHash(11, SAFE, call, 7),
      safeTxHash(10, EVE, call, 7),
      safeTxHash(10, SAFE, call, 8),
    ])
      expect(other).not.toBe(expected);
  });

  it('review:2.3 arguments are read only when they are all there is', () => {
    const abi = parseAbi([
      'function execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
    ]);
    const data = encodeFunctionData({
      abi,
      args: [TOKEN, 1n, '0xabcd', 1, 2n, 3n, 4n, EVE, zeroAddress, '0x1234'],
    });
    expect(readExecTransaction(data)).toEqual({
      to: TOKEN,
      value: 1n,
      data: '0xabcd',
      operation: 1,
      safeTxGas: 2n,
      baseGas: 3n,
      gasPrice: 4n,
      gasToken: EVE,
      refundReceiver: zeroAddress,
    });
    expect(readExecTransaction(`${data}00`)).toBeUndefined();
    expect(readExecTransaction(data.slice(0, -64))).toBeUndefined();
    expect(readExecTransaction('0xa9059cbb')).toBeUndefined();
  });

  it('review:V1 is known by its code alone: proxy and singleton', () => {
    const code = safeContract('proxies/SafeProxy.sol/SafeProxy').deployedBytecode;
    const singletonCode = safeContract('Safe.sol/Safe').deployedBytecode;
    const singleton = '0xff51a5898e281db6dfc7855790607438df2ca44b';
    expect(isKnownSafe({ code, singleton, singletonCode }, [])).toBe(true);
    const l2 = safeContract('SafeL2.sol/SafeL2').deployedBytecode;
    const second = '0xedd160febbd92e350d4d398fb636302fccd67c7e';
    expect(isKnownSafe({ code, singleton: second, singletonCode: l2 }, [])).toBe(true);
    expect(isKnownSafe({ code, singleton, singletonCode: l2 }, [])).toBe(false);
    expect(isKnownSafe({ code: `${code}00`, singleton, singletonCode }, [])).toBe(false);
    expect(isKnownSafe({ code, singleton: EVE, singletonCode }, [])).toBe(false);
    expect(isKnownSafe({ code, singleton: EVE, singletonCode: '0x60' }, [EVE])).toBe(true);
    expect(isKnownSafe({ code, singleton: EVE, singletonCode: '0x' }, [EVE])).toBe(false);
  });
});

it('review:2.1 EntryPoints and their event are those of the standard', () => {
  const known = [entryPoint06Address, entryPoint07Address, entryPoint08Address, entryPoint09Address];
  expect(ENTRY_POINTS).toEqual(known.map((one) => one.toLowerCase()));
  const abi = parseAbi([
    'event UserOperationEvent(bytes32 indexed userOpHash,address indexed sender,address indexed paymaster,uint256 nonce,bool success,uint256 actualGasCost,uint256 actualGasUsed)',
  ]);
  expect(USER_OPERATION_TOPIC).toBe(encodeEventTopics({ abi })[0]);
});

describe('the calls of a trace', () => {
  const frame = (more: Partial<CallFrame>): CallFrame => ({
    type: 'CALL',
    from: EVE,
    to: SAFE,
    value: 0n,
    input: '0x',
    failed: false,
    calls: [],
    ...more,
  });
  const own = (more: Partial<CallFrame> = {}) => frame({ from: SAFE, to: BOB, value: 5n, ...more });
  const find = (...calls: readonly CallFrame[]) => findFrames(frame({ calls }), SAFE, asked);

  it('review:2.3 count when they are the account’s own, exactly as asked, and nothing above them failed', () => {
    expect(find(own())).toEqual({ done: 1, failed: 0, other: false });
    expect(find(frame({ type: 'DELEGATECALL', from: SAFE, calls: [own()] })).done).toBe(1);
    expect(find(own(), own()).done).toBe(2);
    expect(find(own({ failed: true }))).toEqual({ done: 0, failed: 1, other: false });
    expect(find(frame({ failed: true, calls: [own()] }))).toEqual({ done: 0, failed: 1, other: false });
    for (const other of [{ value: 6n }, { to: EVE }, { input: '0x00' }])
      expect(find(own(other))).toEqual({ done: 0, failed: 0, other: true });
    for (const none of [
      { from: EVE },
      { type: 'DELEGATECALL' },
      { type: 'STATICCALL' },
      { type: 'CALLCODE' },
    ])
      expect(find(own(none))).toEqual({ done: 0, failed: 0, other: false });
  });

  it('review:2.3 a creation is asked for by its data alone', () => {
    const creation = { value: 0n, data: '0x6001' };
    const made = own({ type: 'CREATE2', to: EVE, value: 0n, input: '0x6001' });
    expect(findFrames(frame({ calls: [made] }), SAFE, creation).done).toBe(1);
    expect(findFrames(frame({ calls: [own({ value: 0n, input: '0x6001' })] }), SAFE, creation).done).toBe(0);
  });

  it('review:C3 have names that tell calls apart, and equal ones by their number', () => {
    const [first, second] = frameNames(SAFE, asked, 2);
    expect(first).not.toBe(second);
    expect(frameNames(SAFE, asked, 1)).toEqual([first]);
    for (const other of [
      { ...asked, value: 6n },
      { ...asked, to: EVE },
      { ...asked, data: '0x00' },
    ])
      expect(frameNames(SAFE, other, 1)).not.toEqual([first]);
    expect(frameNames(EVE, asked, 1)).not.toEqual([first]);
  });
});

describe('the log of a token', () => {
  const transfer = {
    to: TOKEN,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 9n] }),
  };
  const line = (from: `0x${string}`, to: `0x${string}`, amount: bigint, emitter: string = TOKEN) => ({
    address: emitter,
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
  });

  it('review:2.3 counts only lines of the called contract that say exactly this', () => {
    expect(effectLines(SAFE, transfer, [line(EVE, BOB, 9n), line(SAFE, BOB, 9n)])).toEqual([1]);
    for (const other of [
      line(SAFE, BOB, 8n),
      line(EVE, BOB, 9n),
      line(SAFE, EVE, 9n),
      line(SAFE, BOB, 9n, EVE),
    ])
      expect(effectLines(SAFE, transfer, [other])).toEqual([]);
  });

  it('review:2.3 says nothing of coins, of other functions, or of calls with coins', () => {
    const logs = [line(SAFE, BOB, 9n)];
    expect(effectLines(SAFE, asked, logs)).toBeUndefined();
    expect(effectLines(SAFE, { ...transfer, value: 1n }, logs)).toBeUndefined();
    expect(effectLines(SAFE, { ...transfer, data: keccak256('0x').slice(0, 10) }, logs)).toBeUndefined();
  });
});
