/** What a generic operation may ask for: checked before it is shown to anybody (docs/spec/operations.md 10.3, O5). */
import {
  below,
  type Fields,
  type Findings,
  hasKeyMaterial,
  Issues,
  isId,
  KEY_MATERIAL_CODE,
  KEY_MATERIAL_MESSAGE,
  refuseSecrets,
} from '@handover/core';
import { isAddress, isHexData, isMistyped, MISTYPED } from './shapes.js';

export const MAX_STEPS = 100;
const QUANTITY = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const COIN_DECIMALS = 18;
const COINS = /^([0-9]{1,60})\.([0-9]{1,18})$/;
const QUANTITIES = ['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce'] as const;

export interface RequestedStep {
  readonly id: string;
  readonly txRequest?: Fields;
}

export function validateOperation(whole: unknown, steps: readonly RequestedStep[]): Findings {
  const issues = new Issues();
  if (hasKeyMaterial(whole)) issues.error(KEY_MATERIAL_CODE, undefined, KEY_MATERIAL_MESSAGE);
  refuseSecrets(whole, issues);
  if (steps.length > MAX_STEPS) {
    issues.error('LIMIT_EXCEEDED', 'steps', `at most ${MAX_STEPS} steps`);
    return issues.findings();
  }
  const seen = new Set<string>();
  for (const [i, { id, txRequest }] of steps.entries()) {
    const path = `steps.${i}`;
    if (!isId(id)) issues.error('STEP_ID_INVALID', `${path}.id`, '1 to 256 bytes without control characters');
    if (seen.has(id)) issues.error('STEP_ID_DUPLICATE', `${path}.id`, 'another step has this id');
    seen.add(id);
    if (txRequest !== undefined) checkTransaction(txRequest, `${path}.txRequest`, issues);
  }
  return issues.findings();
}

/** What the page can show. It asks no wallet for anything else. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['to', 'from', 'data', 'input', 'chainId', 'gasLimit', 'type'],
  ...QUANTITIES,
]);

function checkTransaction(tx: Fields, path: string, issues: Issues): void {
  for (const key of Object.keys(tx))
    if (!KNOWN.has(key))
      issues.error(
        'TX_FIELD_UNKNOWN',
        below(path, key),
        key === 'amount'
          ? 'is no field of a transaction: use value, in wei'
          : `is no field of a transaction that can be shown: ${[...KNOWN].join(', ')}`,
      );
  const given = (key: string): unknown => (tx[key] === null || tx[key] === '' ? undefined : tx[key]);
  for (const key of ['to', 'from'])
    if (given(key) !== undefined && !isAddress(given(key)))
      issues.error(`TX_${key.toUpperCase()}_INVALID`, `${path}.${key}`, 'must be 0x and 40 hex digits');
    else if (isMistyped(given(key)))
      issues.error(`TX_${key.toUpperCase()}_INVALID`, `${path}.${key}`, MISTYPED);
  for (const key of ['data', 'input'])
    if (given(key) !== undefined && !isHexData(given(key)))
      issues.error('TX_DATA_INVALID', `${path}.${key}`, 'must be 0x and whole bytes in hex');
  for (const key of QUANTITIES)
    if (given(key) !== undefined && !isQuantity(given(key)))
      issues.error(
        'TX_QUANTITY_INVALID',
        `${path}.${key}`,
        `must be a whole number, 0 or more; above 2^53 as text, decimal or 0x hex${inWei(key, given(key))}`,
      );
}

/** Coins with a decimal point where the smallest unit is wanted: what it would be with the 18 decimals that coins mostly have. */
function inWei(key: string, value: unknown): string {
  const [, whole, part] = COINS.exec(String(value)) ?? [];
  if (key === 'nonce' || key === 'gas' || whole === undefined || part === undefined) return '';
  const wei = BigInt(whole + part.padEnd(COIN_DECIMALS, '0'));
  return `. It counts wei, the smallest unit of the coin: ${whole}.${part} coins are "${wei}"`;
}

function isQuantity(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return typeof value === 'string' && QUANTITY.test(value);
}

/** What the wallet is asked to send, in one form: for comparing with the chain. */
export interface PlainTransaction {
  readonly from?: string;
  /** Undefined: contract creation. */
  readonly to?: string;
  readonly value: bigint;
  readonly data: string;
}

export function plainTransaction(tx: Fields): PlainTransaction {
  const text = (key: string): string | undefined => {
    const value = tx[key];
    return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
  };
  const data = [text('data'), text('input')].find((value) => value !== undefined && value !== '0x') ?? '0x';
  const { value } = tx;
  const from = text('from');
  const to = text('to');
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    value: typeof value === 'number' || (typeof value === 'string' && value !== '') ? BigInt(value) : 0n,
    data,
  };
}
