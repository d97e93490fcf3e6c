/** Folds the entries of an operation into its state. */

import { FaultCode, HandoverError } from '../../fault.js';
import { isFields } from '../../fields.js';
import type { EntryHead } from '../../log/entry.js';
import type { Json, JsonObject } from '../../log/json.js';
import { OperationEntryType } from '../entry-type.js';
import { FAMILIES } from '../families/families.js';
import { claimFromFacts } from './claim-facts.js';
import { evolveVerified } from './evolve-verified.js';
import {
  Family,
  type OperationState,
  OperationStatus,
  type StepState,
  StepStatus,
  Verification,
} from './state.js';

const FAMILY_NAMES: readonly Family[] = Object.values(Family);
const STATUSES: readonly OperationStatus[] = Object.values(OperationStatus);
const STEP_STATUSES: readonly StepStatus[] = Object.values(StepStatus);

export function evolveRev1(state: OperationState | undefined, entry: EntryHead): OperationState {
  if (entry.v !== 1) throw unknownEntry(entry);
  if (!state) return created(entry);
  return { ...next(state, entry), seq: entry.seq, updatedAt: entry.at };
}

function created(entry: EntryHead): OperationState {
  const { facts, actor, at, seq, stream } = entry;
  const family = FAMILY_NAMES.find((known) => known === facts.family);
  if (entry.type !== OperationEntryType.Created || !family) throw unknownEntry(entry);
  return {
    id: stream.id,
    family,
    creator: actor,
    chainId: Number(facts.chain_id),
    digest: String(facts.digest),
    status: FAMILIES[family].beginnings[0],
    createdAt: at,
    updatedAt: at,
    expiresAt: Number(facts.expires_at),
    watched: facts.watched === true,
    ...(typeof facts.signer === 'string' && { signer: facts.signer }),
    steps: list(facts.steps).map(newStep),
    claimed: false,
    closed: false,
    seq,
  };
}

function newStep(facts: JsonObject): StepState {
  return {
    id: String(facts.id),
    ...(typeof facts.from === 'string' && { from: facts.from }),
    status: facts.skipped === true ? StepStatus.Skipped : StepStatus.Pending,
    verification: Verification.Unverified,
  };
}

function next(state: OperationState, entry: EntryHead): OperationState {
  switch (entry.type) {
    case OperationEntryType.Posted:
      return posted(state, entry);
    case OperationEntryType.Result:
      return resultPosted(state, entry);
    case OperationEntryType.Verified:
      return evolveVerified(state, entry.facts);
    case OperationEntryType.Cancelled:
      return { ...state, status: OperationStatus.Cancelled };
    case OperationEntryType.Expired:
      return { ...state, status: OperationStatus.Expired };
    case OperationEntryType.Closed:
      return { ...state, closed: true };
    default:
      throw unknownEntry(entry);
  }
}

function posted(state: OperationState, entry: EntryHead): OperationState {
  const { facts, at } = entry;
  const stepStatus = STEP_STATUSES.find((known) => known === facts.step_status);
  const steps = state.steps.map((step) =>
    stepStatus && step.id === facts.step ? movedStep(step, stepStatus, facts, at) : step,
  );
  // A replaced hash of an earlier step does not change the status while another step waits for the wallet.
  const waiting = steps.some(({ status: word }) => word === StepStatus.Requested);
  const replaced = stepStatus === StepStatus.Submitted && waiting;
  const status = replaced ? state.status : statusOf(facts.status, entry);
  const account = state.account ?? (stepStatus === StepStatus.Requested ? facts.account : undefined);
  return {
    ...state,
    status,
    steps,
    claimed: state.claimed || facts.claims === true,
    ...(typeof account === 'string' && { account }),
  };
}

function movedStep(step: StepState, status: StepStatus, facts: JsonObject, at: number): StepState {
  const { id, from } = step;
  const fresh = { id, ...(from !== undefined && { from }), status, verification: Verification.Unverified };
  switch (status) {
    case StepStatus.Requested:
      return { ...fresh, requestedAt: at };
    case StepStatus.Submitted:
      return { ...fresh, submittedAt: at, claim: claimFromFacts(facts) };
    default:
      return fresh;
  }
}

/** `failed` and `cancelled` hold at once: nothing was done, so the chain shows nothing. Other results wait for it. */
function resultPosted(state: OperationState, entry: EntryHead): OperationState {
  const { facts, seq, at } = entry;
  const outcome = statusOf(facts.outcome, entry);
  const result = { digest: String(facts.digest), outcome, seq, at, verification: Verification.Unverified };
  const nothingDone = outcome === OperationStatus.Failed || outcome === OperationStatus.Cancelled;
  if (nothingDone) return { ...state, status: outcome, result };
  const status = state.family === Family.BundleDeploy ? OperationStatus.Imported : state.status;
  return { ...state, status, result };
}

function statusOf(value: Json | undefined, entry: EntryHead): OperationStatus {
  const status = STATUSES.find((known) => known === value);
  if (!status) throw unknownEntry(entry);
  return status;
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one: Json) => isFields(one)) : [];
}

function unknownEntry(entry: EntryHead): HandoverError {
  const message = `entry ${entry.seq} has type ${entry.type} version ${entry.v}, which this version cannot read`;
  return new HandoverError(FaultCode.DATA_LOSS, message, {
    details: { operation: entry.stream.id, seq: entry.seq },
  });
}
