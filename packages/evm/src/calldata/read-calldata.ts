/**
 * What a transaction says, in words that a person can check: the function, its arguments, and warnings.
 *
 * D1. Only built-in signatures explain a call. What an agent claims is decoded beside it and marked as a claim.
 * D2. A decoding counts only if encoding it again gives the very same bytes: what is shown is then all there is.
 * D3. Known bytes win over a claim: an agent cannot rename `approve`.
 * D4. More than 5,000 values are not decoded: nobody would read them.
 */
import { type AbiType, type AbiValue, typeText } from '../abi/abi-type.js';
import { readValues } from '../abi/read-values.js';
import { selectorOf } from '../abi/selector.js';
import { parseSignature } from '../abi/signature.js';
import type { PlainTransaction } from '../operation-request.js';
import { type KnownFunction, knownFunction, type Standard } from './known-functions.js';
import { CallWarning, warningsOfCall } from './warnings.js';

export interface CallArgument {
  readonly name: string;
  readonly type: string;
  readonly value: AbiValue;
}

export interface DecodedCall {
  readonly name: string;
  readonly signature: string;
  readonly arguments: readonly CallArgument[];
  /** Empty: claimed by the agent. */
  readonly standards: readonly Standard[];
  readonly source: 'built-in' | 'claimed';
}

export interface CalldataReading {
  readonly kind: 'transfer' | 'call' | 'creation';
  /** 0x and 8 digits, of a call. */
  readonly selector?: string;
  readonly call?: DecodedCall;
  readonly warnings: readonly CallWarning[];
}

export function readCalldata(
  transaction: PlainTransaction,
  /** A signature such as `mint(address to, uint256 id)` that the agent gives. */
  claim?: string,
): CalldataReading {
  const { to, value, data } = transaction;
  const hex = data.replace(/^0x/i, '').toLowerCase();
  if (to === undefined) return { kind: 'creation', warnings: [CallWarning.ContractCreation] };
  if (hex === '') return { kind: 'transfer', warnings: plainWarnings(to, value) };
  if (hex.length < 8)
    return { kind: 'call', warnings: [CallWarning.MalformedCalldata, ...unknownWarnings(value)] };
  const selector = hex.slice(0, 8);
  const fn = knownFunction(selector);
  const read = fn ? readKnown(fn, hex.slice(8), { ...transaction, to }) : readClaimed(claim, hex, value);
  return { kind: 'call', selector: `0x${selector}`, ...read };
}

type CallReading = Pick<CalldataReading, 'call' | 'warnings'>;

function readKnown(
  fn: KnownFunction,
  body: string,
  { from, to, value }: PlainTransaction & { readonly to: string },
): CallReading {
  const { name = '', inputs = [] } = parseSignature(fn.signature) ?? {};
  const surprise = value > 0n && !fn.payable ? [CallWarning.UnexpectedValue] : [];
  const read = readValues(inputs, body);
  if (read.kind === 'too-long') return { warnings: [CallWarning.TooLongToExplain, ...surprise] };
  if (read.kind === 'malformed') return { warnings: [CallWarning.MalformedCalldata, ...surprise] };
  const { values } = read;
  const call: DecodedCall = {
    name,
    signature: fn.signature,
    arguments: withNames(inputs, values, fn.parameters),
    standards: fn.standards,
    source: 'built-in',
  };
  return { call, warnings: [...warningsOfCall({ fn, values, ...(from && { from }), to }), ...surprise] };
}

function readClaimed(claim: string | undefined, hex: string, value: bigint): CallReading {
  const warnings = unknownWarnings(value);
  if (claim === undefined) return { warnings };
  const claimed = parseSignature(claim);
  if (!claimed || selectorOf(claimed.canonical) !== hex.slice(0, 8))
    return { warnings: [...warnings, CallWarning.ClaimDoesNotFit] };
  const read = readValues(claimed.inputs, hex.slice(8));
  if (read.kind === 'too-long') return { warnings: [...warnings, CallWarning.TooLongToExplain] };
  if (read.kind === 'malformed') return { warnings: [...warnings, CallWarning.ClaimDoesNotFit] };
  const { name, canonical, inputs } = claimed;
  return {
    call: {
      name,
      signature: canonical,
      // Nothing proves the agent's names of parameters, so they are left out: the types are enough.
      arguments: withNames(inputs, read.values, []),
      standards: [],
      source: 'claimed',
    },
    warnings,
  };
}

function withNames(
  types: readonly AbiType[],
  values: readonly AbiValue[],
  names: readonly string[],
): readonly CallArgument[] {
  return types.map((type, i) => ({
    name: names[i] ?? `argument ${i + 1}`,
    type: typeText(type),
    value: values[i] ?? '',
  }));
}

function plainWarnings(to: string, value: bigint): readonly CallWarning[] {
  return [
    ...(/^0x0{40}$/.test(to) ? [CallWarning.RecipientIsZero] : []),
    ...(value === 0n ? [CallWarning.NothingToDo] : []),
  ];
}

const unknownWarnings = (value: bigint): readonly CallWarning[] =>
  value > 0n
    ? [CallWarning.UnknownFunction, CallWarning.ValueWithUnknownFunction]
    : [CallWarning.UnknownFunction];
