/**
 * What is handed to a person comes in families. The step machine is the same for all of them; this is what differs, as far
 * as server and pages must agree on it.
 */
import { type Family, OperationStatus } from '../words.js';

export interface OperationFamily {
  readonly name: Family;
  /** The first part of the path of its pages, and of its API below /api. */
  readonly place: string;
  /** Ids begin with it. */
  readonly prefix: string;
  /** How many bytes of an id are random, or derived from a key of the caller's. They are written in hex. */
  readonly idBytes: number;
  readonly idShape: RegExp;
  readonly firstStatus: OperationStatus;
  /** The words that end it. */
  readonly ends: ReadonlySet<OperationStatus>;
  /** Where it stands when a result was posted that the chain has yet to confirm; absent: where it stood. */
  readonly statusWithResult?: OperationStatus;
  /** The chain's word on the steps completes it; otherwise it takes a result. */
  readonly stepsComplete: boolean;
}

/** Locators as this server makes them, and longer ones up to what a path may hold. */
export const idShape = (prefix: string, idBytes: number): RegExp =>
  new RegExp(`^${prefix}[A-Za-z0-9_-]{${2 * idBytes},125}$`);

/** The words that end every family, whichever of them it uses. */
export const ENDS: readonly OperationStatus[] = [
  OperationStatus.Completed,
  OperationStatus.Deployed,
  OperationStatus.Partial,
  OperationStatus.Cancelled,
  OperationStatus.Expired,
];
