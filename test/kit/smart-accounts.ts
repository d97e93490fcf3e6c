/** Real accounts of contracts on a local chain: a Safe with several owners, and an ERC-4337 account behind its EntryPoint. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  type Abi,
  concat,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  zeroAddress,
} from 'viem';
import type { Anvil } from './anvil.js';

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

const require = createRequire(import.meta.url);
const SAFE_FOLDER = dirname(require.resolve('@safe-global/safe-smart-account/package.json'));
const ERC4337_FOLDER = dirname(require.resolve('@account-abstraction/contracts/package.json'));
const read = (path: string): Artifact => JSON.parse(readFileSync(path, 'utf8')) as Artifact;
const ofSafe = (path: string) => read(`${SAFE_FOLDER}/build/artifacts/contracts/${path}.json`);
const ofErc4337 = (name: string) => read(`${ERC4337_FOLDER}/artifacts/${name}.json`);

const safe = ofSafe('Safe.sol/Safe');
const proxy = ofSafe('proxies/SafeProxy.sol/SafeProxy');
const multiSend = ofSafe('libraries/MultiSendCallOnly.sol/MultiSendCallOnly');
const entryPoint = ofErc4337('EntryPoint');
const factory = ofErc4337('SimpleAccountFactory');
const simpleAccount = ofErc4337('SimpleAccount');

export interface Call {
  readonly to: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
}

const lower = (address: string): Hex => address.toLowerCase() as Hex;
/** Where Safe 1.5.0 has it on public chains. */
const MULTI_SEND: Hex = '0xa83c336b20401af773b6219ba5027174338d1836';

const SAFE_TX = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const;

interface SignedMore {
  readonly operation?: number;
  readonly safeTxGas?: bigint;
  /** Another contract than this Safe. */
  readonly at?: Hex;
}

export type TestSafe = Awaited<ReturnType<typeof deploySafe>>;

/** A Safe of two owners, both of whom have to sign. */
export async function deploySafe(anvil: Anvil, ownerNumbers: readonly [number, number] = [2, 3]) {
  const owners = ownerNumbers.map((n) => anvil.account(n));
  const singleton = lower(await anvil.deploy(0, safe.bytecode));
  const address = lower(await anvil.deploy(0, encodeDeployData({ ...proxy, args: [singleton] })));
  const nobody = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] as const;
  /** `more`: what else the transaction is to hold. */
  const send = async (data: Hex, more: object = {}): Promise<Hex> => {
    const account = anvil.account(0);
    const hash = await anvil.client.sendTransaction({ account, to: address, data, gas: 2_000_000n, ...more });
    await anvil.mine();
    return hash;
  };
  await send(
    encodeFunctionData({
      ...safe,
      functionName: 'setup',
      args: [owners.map((one) => one.address), 2n, ...nobody],
    }),
  );
  await anvil.client.setCode({ address: MULTI_SEND, bytecode: multiSend.deployedBytecode });

  /** What the owners sign. `safeTxGas` lets the Safe go on when the call fails. */
  const signed = (call: Call, nonce: number, more: SignedMore = {}) => {
    const { operation = 0, safeTxGas = 0n, at = address } = more;
    const message = {
      to: call.to,
      value: call.value ?? 0n,
      data: call.data ?? '0x',
      operation,
      safeTxGas,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: BigInt(nonce),
    } as const;
    const typed = {
      domain: { chainId: anvil.chainId, verifyingContract: at },
      types: SAFE_TX,
      primaryType: 'SafeTx',
      message,
    } as const;
    return { typed, message, hash: hashTypedData(typed) };
  };
  type Signed = ReturnType<typeof signed>;

  /** The hash of the transaction in which somebody carries it out. */
  const execute = async ({ typed, message }: Signed, more: object = {}): Promise<Hex> => {
    const ordered = [...owners].sort((a, b) => (lower(a.address) < lower(b.address) ? -1 : 1));
    const signatures = concat(await Promise.all(ordered.map((owner) => owner.signTypedData(typed))));
    const { to, value, data, operation, safeTxGas } = message;
    const gas = [safeTxGas, 0n, 0n, zeroAddress, zeroAddress] as const;
    const args = [to, value, data, operation, ...gas, signatures];
    return send(encodeFunctionData({ ...safe, functionName: 'execTransaction', args }), more);
  };

  /** Several calls in one. */
  const several = (calls: readonly Call[], nonce: number): Signed => {
    const packed = calls.map(({ to, value = 0n, data = '0x' }) => {
      const word = (n: bigint) => n.toString(16).padStart(64, '0');
      return `00${to.slice(2)}${word(value)}${word(BigInt((data.length - 2) / 2))}${data.slice(2)}`;
    });
    const args = [`0x${packed.join('')}`];
    const data = encodeFunctionData({ ...multiSend, functionName: 'multiSend', args });
    return signed({ to: MULTI_SEND, data }, nonce, { operation: 1 });
  };
  return { address, singleton, signed, several, execute };
}

export type TestAccount = Awaited<ReturnType<typeof deployAccount>>;

/** An ERC-4337 account of one owner, whose operations somebody else sends. */
export async function deployAccount(anvil: Anvil, ownerNumber = 4) {
  const { client } = anvil;
  const owner = anvil.account(ownerNumber);
  const point = lower(await anvil.deploy(0, entryPoint.bytecode));
  const maker = lower(await anvil.deploy(0, encodeDeployData({ ...factory, args: [point] })));
  const made = [owner.address, 0n] as const;
  const address = lower(
    (await client.readContract({
      ...factory,
      address: maker,
      functionName: 'getAddress',
      args: made,
    })) as string,
  );
  const send = async (to: Hex, data: Hex, value = 0n) => {
    const hash = await client.sendTransaction({
      account: anvil.account(0),
      to,
      data,
      value,
      gas: 3_000_000n,
    });
    await anvil.mine();
    return hash;
  };
  await send(maker, encodeFunctionData({ ...factory, functionName: 'createAccount', args: made }));
  await send(
    point,
    encodeFunctionData({ ...entryPoint, functionName: 'depositTo', args: [address] }),
    10n ** 18n,
  );
  let nonce = 0n;
  /** Carries it out; both hashes. */
  const run = async (calls: readonly Call[]) => {
    const [only, ...rest] = calls;
    if (!only) throw new Error('nothing to do');
    const callData =
      rest.length === 0
        ? encodeFunctionData({
            ...simpleAccount,
            functionName: 'execute',
            args: [only.to, only.value ?? 0n, only.data ?? '0x'],
          })
        : encodeFunctionData({
            ...simpleAccount,
            functionName: 'executeBatch',
            args: [calls.map(({ to }) => to), calls.map(({ data = '0x' }) => data)],
          });
    const unsigned = {
      sender: address,
      nonce: nonce++,
      initCode: '0x',
      callData,
      callGasLimit: 500_000n,
      verificationGasLimit: 300_000n,
      preVerificationGas: 50_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      paymasterAndData: '0x',
      signature: '0x',
    };
    const userOpHash = (await client.readContract({
      ...entryPoint,
      address: point,
      functionName: 'getUserOpHash',
      args: [unsigned],
    })) as Hex;
    const signature = await owner.signMessage({ message: { raw: userOpHash } });
    const args = [[{ ...unsigned, signature }], anvil.account(0).address];
    const txHash = await send(point, encodeFunctionData({ ...entryPoint, functionName: 'handleOps', args }));
    return { userOpHash, txHash };
  };
  return { address, entryPoint: point, run };
}
