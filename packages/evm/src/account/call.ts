/** One call that an account makes, or the creation of a contract, in one form: for comparing. Hex is lowercase. */
import { keccak256 } from 'ox/Hash';
import { fromString } from 'ox/Hex';

export interface AskedCall {
  /** Undefined: contract creation. */
  readonly to?: string;
  readonly value: bigint;
  readonly data: string;
}

export const isSameCall = (a: AskedCall, b: AskedCall): boolean =>
  (a.to ?? '').toLowerCase() === (b.to ?? '').toLowerCase() &&
  a.value === b.value &&
  a.data.toLowerCase() === b.data.toLowerCase();

/**
 * The names of equal calls inside one transaction: which call it is, and the how-manieth of its kind. Every proof comes to
 * the same name, also one that does not see where in the transaction the call stands.
 */
export function frameNames(account: string, call: AskedCall, times: number): readonly string[] {
  const { to = '', value, data } = call;
  const text = [account, to, value.toString(), data].join('/').toLowerCase();
  const key = keccak256(fromString(text)).slice(2, 18);
  return Array.from({ length: times }, (_, i) => `${key}-${i}`);
}
