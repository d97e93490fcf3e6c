import { type AskState, type ClaimState, isForgotten, type StepState } from '@handover/core';
import type { Hex } from '../../../chain/port.js';
import type { OperationRecord } from '../../../services/operations/record.js';

/** An ask that may have been signed, and the account that was asked. */
export interface AskedAccount {
  readonly record: OperationRecord;
  readonly ask: AskState;
  readonly step: StepState;
  readonly account: Hex;
  /** The head of the chain when the look began; only where the ask may come to nothing by this look. */
  readonly through?: number;
}

/** The claim that names it. One that was taken back, since no node had seen it, counts again when it turns up. */
export const knownClaim = ({ state }: OperationRecord, ...names: readonly string[]): ClaimState | undefined =>
  state.steps
    .flatMap(({ claims }) => claims)
    .find((claim) => !isForgotten(claim) && names.some((hash) => isNamed(claim, hash)));

const isNamed = ({ value, carrier, was }: ClaimState, hash: string): boolean =>
  value === hash || carrier === hash || was?.includes(hash) === true;

/** Somebody said that nothing was signed, and it was waited long enough since. */
export const isQuietOver = ({ standing, quietUntil = 0 }: AskState, now: number): boolean =>
  standing === 'quiet' && now >= quietUntil;
