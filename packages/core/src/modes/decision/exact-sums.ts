/**
 * Sums of weights as they are written: 0.7 and 0.1 are 0.8, in any order and beside any other weight.
 *
 * W1. A weight is the decimal number that it is written as, so all of them are whole numbers of one unit.
 * W2. The share is computed exactly and rounded once. So a threshold is met by what meets it exactly, whether it was written as
 *     0.8 or computed as 5 / 6. A share below 1 is never rounded to 1: whoever asks for all of the weight gets all of it.
 */
import { type Branch, treeEntries } from '../tree.js';
import type { Cast } from './state.js';
import type { Tally } from './tally.js';

type Weights = ReadonlyMap<string, number>;

/** Weights as whole numbers of 10 to the power of -places. */
interface Units {
  readonly of: ReadonlyMap<string, bigint>;
  readonly places: number;
}

export function exactSums(
  cast: Branch<Cast>,
  weights: Weights,
): Pick<Tally, 'approve' | 'reject' | 'decisive' | 'share'> {
  const { of, places } = unitsOf(weights);
  let [approve, reject] = [0n, 0n];
  for (const [voter, { approvals, rejections }] of treeEntries(cast)) {
    const weight = of.get(voter) ?? 0n;
    approve += weight * BigInt(approvals);
    reject += weight * BigInt(rejections);
  }
  const number = (units: bigint) => Number(`${units}e${-places}`);
  const decisive = approve + reject;
  return {
    approve: number(approve),
    reject: number(reject),
    decisive: number(decisive),
    share: decisive === 0n ? Number.NaN : shareOf(approve, decisive),
  };
}

/** More than the smallest share needs, and small enough for a double. */
const BITS = 1000;
const BELOW_ONE = 1 - Number.EPSILON / 2;

function shareOf(part: bigint, whole: bigint): number {
  if (part === whole) return 1;
  const scaled = part << BigInt(BITS);
  // The last bit says that something was cut off, so that Number rounds as if it had seen it.
  const cut = scaled % whole === 0n ? 0n : 1n;
  return Math.min(Number((scaled / whole) | cut) / 2 ** BITS, BELOW_ONE);
}

/** The weights of a policy are read once and asked at each Commitment. */
const known = new WeakMap<Weights, Units>();

function unitsOf(weights: Weights): Units {
  const before = known.get(weights);
  if (before) return before;
  const decimals = [...weights].map(([voter, weight]) => ({ voter, ...decimalOf(weight) }));
  const places = Math.max(0, ...decimals.map((decimal) => decimal.places));
  const of = decimals.map(
    ({ voter, digits, places: own }) => [voter, digits * 10n ** BigInt(places - own)] as const,
  );
  const units = { of: new Map(of), places };
  known.set(weights, units);
  return units;
}

/** The shortest decimal number that is this one, which is the one that somebody wrote. */
function decimalOf(weight: number): { readonly digits: bigint; readonly places: number } {
  const [mantissa = '', exponent = '0'] = String(weight).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
}
