/** Safe accounts: what their owners sign, how it is executed, and what their contracts write to the log. */
import { encode } from 'ox/AbiParameters';
import { keccak256 } from 'ox/Hash';
import { fromString } from 'ox/Hex';
import { readValues } from '../abi/read-values.js';
import { selectorOf } from '../abi/selector.js';
import { parseSignature } from '../abi/signature.js';
import { type AskedCall, isSameCall } from './call.js';
import { type EventLog, wordOf } from './log.js';

export const SafeTopic = {
  Success: '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e',
  Failure: '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23',
  /** What a module did, without a signature of the owners. */
  ModuleSuccess: '0x6895c13664aa4f67288b25d7a21d7aaa34916e355fb9b6fae0a139a9085becb8',
} as const;

/** `nonce()` and `getThreshold()`. */
export const SafeSelector = { Nonce: 'affed0e0', Threshold: 'e75235b8' } as const;

/** What the owners of a Safe sign, without its number. */
export interface SafeCall {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  /** 0: a call. 1: a delegatecall. */
  readonly operation: number;
  readonly safeTxGas: bigint;
  readonly baseGas: bigint;
  readonly gasPrice: bigint;
  readonly gasToken: string;
  readonly refundReceiver: string;
}

export interface SafeExecution {
  readonly safeTxHash: string;
  readonly success: boolean;
}

const NOBODY = `0x${'0'.repeat(40)}`;
const EXEC =
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)' as const;
const EXEC_SELECTOR = `0x${selectorOf(EXEC)}`;

const hashOf = (text: string): `0x${string}` => keccak256(fromString(text));
const DOMAIN_TYPE = hashOf('EIP712Domain(uint256 chainId,address verifyingContract)');
const SAFE_TX_TYPE = hashOf(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
);

/** As wallets ask for it: nobody is refunded. Undefined: a Safe cannot be asked for this, as for a creation. */
export function plainSafeCall({ to, value, data }: AskedCall): SafeCall | undefined {
  if (to === undefined) return undefined;
  const gas = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: NOBODY, refundReceiver: NOBODY };
  return { to, value, data, operation: 0, ...gas };
}

/** From Safe 1.3.0 on. */
export function safeTxHash(chainId: number, safe: string, call: SafeCall, nonce: number): string {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = call;
  const domain = keccak256(
    encode(
      [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [DOMAIN_TYPE, BigInt(chainId), hex(safe)],
    ),
  );
  const types = 'bytes32 address uint256 bytes32 uint8 uint256 uint256 uint256 address address uint256';
  const struct = encode(
    types.split(' ').map((type) => ({ type })),
    [
      SAFE_TX_TYPE,
      hex(to),
      value,
      keccak256(hex(data)),
      operation,
      safeTxGas,
      baseGas,
      gasPrice,
      hex(gasToken),
      hex(refundReceiver),
      BigInt(nonce),
    ],
  );
  return keccak256(`0x1901${domain.slice(2)}${keccak256(struct).slice(2)}`);
}

const hex = (text: string): `0x${string}` => `0x${text.slice(2).toLowerCase()}`;

/** The arguments of `execTransaction`; undefined when the data is something else. */
export function readExecTransaction(data: string): SafeCall | undefined {
  if (!data.toLowerCase().startsWith(EXEC_SELECTOR)) return undefined;
  const read = readValues(parseSignature(EXEC)?.inputs ?? [], data.slice(EXEC_SELECTOR.length).toLowerCase());
  if (read.kind !== 'read') return undefined;
  const [to, value, inner, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver] =
    read.values.map(String);
  return {
    to: to ?? '',
    value: BigInt(value ?? 0),
    data: inner ?? '0x',
    operation: Number(operation),
    safeTxGas: BigInt(safeTxGas ?? 0),
    baseGas: BigInt(baseGas ?? 0),
    gasPrice: BigInt(gasPrice ?? 0),
    gasToken: gasToken ?? NOBODY,
    refundReceiver: refundReceiver ?? NOBODY,
  };
}

export const isPlainCall = (call: SafeCall, asked: AskedCall): boolean =>
  call.operation === 0 && isSameCall(call, asked);

/** From Safe 1.4.1 on the hash is a topic, before it was the first word of the data. */
export function readSafeExecution({ topics, data }: EventLog): SafeExecution | undefined {
  const [kind, topic] = topics;
  if (kind !== SafeTopic.Success && kind !== SafeTopic.Failure) return undefined;
  const hash = topic ?? wordOf(data, 0);
  return hash === undefined ? undefined : { safeTxHash: hash, success: kind === SafeTopic.Success };
}

/** The module through which a Safe has made a call; undefined: the line says something else. */
export function readModuleExecution({ topics }: EventLog): string | undefined {
  const [kind, module] = topics;
  return kind === SafeTopic.ModuleSuccess && module !== undefined ? `0x${module.slice(-40)}` : undefined;
}
