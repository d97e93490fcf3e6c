/** What can go wrong in one run, and how often: each seed draws its own mixture. */
import type { Random } from './random.js';

export interface Faults {
  readonly nodes: number;
  readonly sessions: number;
  /** The longest way between a node and the database. */
  readonly hopMs: number;
  /** How likely a connection is lost: before anything was locked, before the write, around COMMIT, in a read. */
  readonly lossBefore: number;
  readonly lossBetween: number;
  readonly lossInCommit: number;
  readonly readLoss: number;
  /** Mean time between, or never: a process dies, stands still, is cut off; the database restarts; its clock jumps. */
  readonly crashEvery: number | undefined;
  readonly stallEvery: number | undefined;
  readonly cutEvery: number | undefined;
  readonly restartEvery: number | undefined;
  readonly jumpEvery: number | undefined;
  /** By how much the clock of a node may be wrong. */
  readonly skewMs: number;
}

export function drawFaults(random: Random): Faults {
  const rate = (of: number): number => (random.chance(0.5) ? of * random() : 0);
  const every = (p: number): number | undefined => (random.chance(p) ? 300 + 3_000 * random() : undefined);
  return {
    nodes: 1 + random.below(3),
    sessions: 2 + random.below(4),
    hopMs: 1 + 15 * random(),
    lossBefore: rate(0.1),
    lossBetween: rate(0.1),
    lossInCommit: rate(0.15),
    readLoss: rate(0.1),
    crashEvery: every(0.35),
    stallEvery: every(0.3),
    cutEvery: every(0.25),
    restartEvery: every(0.25),
    jumpEvery: every(0.2),
    skewMs: random.chance(0.5) ? 5_000 : 0,
  };
}

/** The same without some kinds: to find what a failing seed needs. */
export const FAULT_KINDS = [
  'lossBefore',
  'lossBetween',
  'lossInCommit',
  'readLoss',
  'crashEvery',
  'stallEvery',
  'cutEvery',
  'restartEvery',
  'jumpEvery',
  'skewMs',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export function without(faults: Faults, kinds: readonly FaultKind[]): Faults {
  const none = Object.fromEntries(kinds.map((kind) => [kind, kind.endsWith('Every') ? undefined : 0]));
  return { ...faults, ...none };
}
