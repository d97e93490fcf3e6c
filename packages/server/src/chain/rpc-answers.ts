/**
 * Turns what an RPC answered into the port's types, strictly: an answer of the wrong form, or to another question, is
 * ChainUnavailable.
 */

import type { CallFrame, EventLog } from '@handover/evm';
import {
  type ChainLog,
  type ChainReceipt,
  type ChainTransaction,
  ChainUnavailable,
  type Hex,
} from './port.js';

type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Json;
}

export function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw malformed();
  return BigInt(value);
}

export function count(value: unknown): number {
  const number = Number(quantity(value));
  if (!Number.isSafeInteger(number)) throw malformed();
  return number;
}

export function data(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) throw malformed();
  return value.toLowerCase() as Hex;
}

export function bytes(value: unknown, length: number): Hex {
  const hex = data(value);
  if (hex.length !== 2 + 2 * length) throw malformed();
  return hex;
}

const hash = (value: unknown): Hex => bytes(value, 32);
const address = (value: unknown): Hex => bytes(value, 20);
const isNone = (value: unknown): boolean => value === null || value === undefined;
const orNull = <T>(read: (value: unknown) => T, value: unknown): T | null =>
  isNone(value) ? null : read(value);

export function readTransaction(answer: unknown, asked: Hex): ChainTransaction | null {
  if (isNone(answer)) return null;
  const tx = object(answer);
  if (hash(tx.hash) !== asked) throw malformed();
  const chainId = signedFor(tx);
  const [blockNumber, blockHash] = [orNull(count, tx.blockNumber), orNull(hash, tx.blockHash)];
  return {
    hash: asked,
    from: address(tx.from),
    to: orNull(address, tx.to),
    value: quantity(tx.value),
    data: input(tx),
    nonce: count(tx.nonce),
    ...(chainId !== undefined && { chainId }),
    // Pending transactions come with both, one or none of them, depending on the node.
    blockNumber: blockHash === null ? null : blockNumber,
    blockHash: blockNumber === null ? null : blockHash,
    delegates: Array.isArray(tx.authorizationList) && tx.authorizationList.length > 0,
  };
}

/** `input` is the name; a few nodes say `data`, some both. */
function input(tx: Json): Hex {
  const [first, second] = [orNull(data, tx.input), orNull(data, tx.data)];
  if (first !== null && second !== null && first !== second) throw malformed();
  return first ?? second ?? '0x';
}

/** Legacy transactions carry the chain in v (EIP-155), or nowhere. */
function signedFor(tx: Json): number | undefined {
  if (!isNone(tx.chainId)) return count(tx.chainId);
  if (isNone(tx.v)) return undefined;
  const v = count(tx.v);
  return v >= 35 ? Math.floor((v - 35) / 2) : undefined;
}

export function readReceipt(answer: unknown, asked: Hex): ChainReceipt | null {
  if (isNone(answer)) return null;
  const receipt = object(answer);
  // Some nodes answer a receipt for what is still pending.
  if (isNone(receipt.blockHash) || isNone(receipt.blockNumber)) return null;
  if (hash(receipt.transactionHash) !== asked) throw malformed();
  const status = count(receipt.status);
  if (status !== 0 && status !== 1) throw malformed();
  const created = orNull(address, receipt.contractAddress);
  return {
    transactionHash: asked,
    status: status === 1 ? 'success' : 'reverted',
    blockNumber: count(receipt.blockNumber),
    blockHash: hash(receipt.blockHash),
    from: address(receipt.from),
    to: orNull(address, receipt.to),
    contractAddress: status === 1 ? created : null,
    logs: isNone(receipt.logs) ? [] : list(receipt.logs).map(readLine),
    ...feeOf(receipt),
  };
}

/** Good to know, and no reason to doubt the rest: older nodes do not tell the price. */
function feeOf({ gasUsed, effectiveGasPrice }: Json): Pick<ChainReceipt, 'fee'> {
  return isNone(gasUsed) || isNone(effectiveGasPrice)
    ? {}
    : { fee: quantity(gasUsed) * quantity(effectiveGasPrice) };
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

function readLine(value: unknown): EventLog {
  const log = object(value);
  return { address: address(log.address), topics: list(log.topics).map(hash), data: data(log.data) };
}

export function readLogs(answer: unknown): readonly ChainLog[] {
  return list(answer).flatMap((value) => {
    const log = object(value);
    // Taken back with its block.
    if (log.removed === true) return [];
    const place = { transactionHash: hash(log.transactionHash), blockNumber: count(log.blockNumber) };
    return [{ ...readLine(log), ...place }];
  });
}

/** An answer has been bounded in depth before. */
export function readTrace(answer: unknown): CallFrame {
  const frame = object(answer);
  if (typeof frame.type !== 'string') throw malformed();
  return {
    type: frame.type.toUpperCase(),
    from: address(frame.from),
    ...(!isNone(frame.to) && { to: address(frame.to) }),
    value: isNone(frame.value) ? 0n : quantity(frame.value),
    input: isNone(frame.input) ? '0x' : data(frame.input),
    failed: !isNone(frame.error),
    calls: isNone(frame.calls) ? [] : list(frame.calls).map(readTrace),
  };
}

export function readBlockHash(answer: unknown, asked: number): Hex | null {
  if (isNone(answer)) return null;
  const block = object(answer);
  if (count(block.number) !== asked) throw malformed();
  return hash(block.hash);
}

export function readBlockTime(answer: unknown, asked: number): number | null {
  if (isNone(answer)) return null;
  const block = object(answer);
  if (count(block.number) !== asked) throw malformed();
  return count(block.timestamp) * 1_000;
}

/** Sender, number and hash of each transaction of a block that was asked for with them. */
export function readSent(
  answer: unknown,
): readonly { readonly from: Hex; readonly nonce: number; readonly hash: Hex }[] {
  if (isNone(answer)) return [];
  const { transactions } = object(answer);
  if (!Array.isArray(transactions)) throw malformed();
  return transactions.map((one) => {
    const tx = object(one);
    return { from: address(tx.from), nonce: count(tx.nonce), hash: hash(tx.hash) };
  });
}

function malformed(): ChainUnavailable {
  return new ChainUnavailable('the RPC answered something malformed');
}
