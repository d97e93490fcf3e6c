/**
 * Makes the transaction that the wallet is asked to sign from the one in the log. The wallet signs what the page shows,
 * or nothing: if the page does not know a field, it does not ask the wallet.
 */

import { isAddress } from '@handover/evm';
import type { JsonRecord } from '../model/record.js';
import { hexOf } from '../wallet/wallet-calls.js';

export interface Transaction {
  readonly from?: string;
  /** Absent: a contract is created. */
  readonly to?: string;
  readonly value: bigint;
  readonly data: string;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly nonce?: bigint;
}

export type Normalised =
  | { readonly transaction: Transaction; readonly flaw?: undefined }
  | { readonly flaw: string; readonly transaction?: undefined };

const QUANTITIES = ['gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce'] as const;
const KNOWN = new Set<string>([
  'from',
  'to',
  'value',
  'data',
  'input',
  'chainId',
  'gasLimit',
  'type',
  ...QUANTITIES,
]);
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;

export function normalise(request: JsonRecord | undefined, chainId: number): Normalised {
  if (!request) return { flaw: 'This step holds no transaction.' };
  const unknown = Object.keys(request).find((key) => !KNOWN.has(key));
  if (unknown !== undefined)
    return { flaw: `The transaction holds a field that this page cannot explain: ${unknown}.` };
  try {
    return { transaction: read(request, chainId) };
  } catch (thrown) {
    return { flaw: thrown instanceof Error ? thrown.message : 'The transaction cannot be read.' };
  }
}

function read(request: JsonRecord, chainId: number): Transaction {
  if (!isEmpty(request.chainId) && quantity('chainId', request.chainId) !== BigInt(chainId))
    throw new Error('The transaction names another chain than the request.');
  const data =
    isEmpty(request.data) || request.data === '0x' ? (request.input ?? request.data) : request.data;
  if (
    !isEmpty(request.input) &&
    !isEmpty(request.data) &&
    request.data !== '0x' &&
    request.input !== request.data
  )
    throw new Error('The transaction holds two different data fields.');
  return {
    ...addressField('from', request.from),
    ...addressField('to', request.to),
    value: isEmpty(request.value) ? 0n : quantity('value', request.value),
    data: dataField(data),
    ...quantities({ ...request, gas: request.gas ?? request.gasLimit }),
  };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function addressField<K extends 'from' | 'to'>(key: K, value: unknown): { readonly [P in K]?: string } {
  if (isEmpty(value)) return {};
  if (!isAddress(value)) throw new Error(`The field ${key} is not an address.`);
  return { [key]: value.toLowerCase() } as { readonly [P in K]?: string };
}

function dataField(value: unknown): string {
  if (isEmpty(value)) return '0x';
  if (typeof value !== 'string' || !DATA.test(value))
    throw new Error('The data of the transaction is not hex.');
  return value.toLowerCase();
}

function quantities(request: JsonRecord): Partial<Record<(typeof QUANTITIES)[number], bigint>> {
  return Object.fromEntries(
    QUANTITIES.filter((key) => !isEmpty(request[key])).map((key) => [key, quantity(key, request[key])]),
  );
}

function quantity(key: string, value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^(?:0x[0-9a-fA-F]+|\d+)$/.test(value)) return BigInt(value);
  throw new Error(`The field ${key} is not a whole number.`);
}

/** A number that the request fixes stays. */
export const withNonce = (transaction: Transaction, nonce: number | undefined): Transaction =>
  nonce === undefined ? transaction : { nonce: BigInt(nonce), ...transaction };

/** The transaction as a wallet expects it (EIP-1193). The chain id makes a wallet on another chain refuse it. */
export function forWallet(
  transaction: Transaction,
  from: string,
  chainId: number,
): Readonly<Record<string, string>> {
  const { to, value, data } = transaction;
  const optional = QUANTITIES.map((key) => [key, transaction[key]] as const).filter(
    ([, number]) => number !== undefined,
  );
  return {
    from,
    ...(to !== undefined && { to }),
    value: hexOf(value),
    data,
    chainId: hexOf(chainId),
    ...Object.fromEntries(optional.map(([key, number]) => [key, hexOf(number ?? 0n)])),
  };
}
