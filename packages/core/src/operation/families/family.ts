/**
 * What differs between the families of operations, as far as server and pages must agree on it. The rules for steps are
 * the same for all families.
 */
import { type ClaimKind, type Family, OperationStatus } from '../words.js';

export interface OperationFamily {
  readonly name: Family;
  /** The first segment of the path of its pages, and of its API below /api. */
  readonly place: string;
  /** Ids begin with it. */
  readonly prefix: string;
  /** How many bytes of an id are random, or derived from a key of the caller's. They are written in hex. */
  readonly idBytes: number;
  readonly idShape: RegExp;
  /** The statuses before a wallet is asked, in the order in which they come. */
  readonly beginnings: readonly [OperationStatus, ...OperationStatus[]];
  /** The statuses while wallet and chain are waited for. */
  readonly asked: OperationStatus;
  readonly sent: OperationStatus;
  /** After a step came to nothing; it can be tried again. */
  readonly failed: OperationStatus;
  /** When everything that was asked has happened. */
  readonly done: OperationStatus;
  /** The statuses that end it. */
  readonly ends: ReadonlySet<OperationStatus>;
  /** Whether verified steps complete it; otherwise it needs a result, or its time must be over. */
  readonly stepsComplete: boolean;
  /** What a wallet gives for a step. */
  readonly claimKind: ClaimKind;
  /** Whether a step may begin though the one before it has failed, or has been sent and was not seen yet. */
  readonly stepsApart: boolean;
}

/** Matches ids as this server makes them, and longer ones up to what a path may hold. */
export const idShape = (prefix: string, idBytes: number): RegExp =>
  new RegExp(`^${prefix}[A-Za-z0-9_-]{${2 * idBytes},125}$`);

/** The statuses that end every family that uses them. */
export const ENDS: readonly OperationStatus[] = [
  OperationStatus.Completed,
  OperationStatus.Deployed,
  OperationStatus.Partial,
  OperationStatus.Cancelled,
  OperationStatus.Expired,
];
