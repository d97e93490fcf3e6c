/** The entries of an operation of 0.1.0 as the commands that made them. The service made the payloads; core never looks inside. */

import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { OperationEntryType } from '../operation/entry-type.js';
import { claimFromFacts } from '../operation/rev1/claim-facts.js';
import type { CancelledBy, ChainVerdict, OperationCommand } from '../operation/rev1/command.js';
import { Family, OperationStatus, StepStatus } from '../operation/words.js';

export function rev1CommandOf({ type, facts, payload, at }: Entry): OperationCommand | string {
  switch (type) {
    case OperationEntryType.Created:
      return created(facts, at, payload);
    case OperationEntryType.Posted:
      return posted(facts, payload);
    case OperationEntryType.Result: {
      const outcome = oneOf(OperationStatus, facts.outcome);
      if (!outcome) return 'facts.outcome is unknown to this version';
      return { kind: 'result', outcome, digest: String(facts.digest), payload };
    }
    case OperationEntryType.Cancelled:
      return cancelled(facts, payload);
    case OperationEntryType.Verified:
      return verified(facts);
    default:
      return `type ${type} is not what was due, or unknown to this version`;
  }
}

function created(facts: JsonObject, at: number, payload: Uint8Array): OperationCommand | string {
  const family = oneOf(Family, facts.family);
  if (!family) return 'facts.family is unknown to this version';
  return {
    kind: 'create',
    family,
    chainId: Number(facts.chain_id),
    ttlMs: Number(facts.expires_at) - at,
    digest: String(facts.digest),
    watched: facts.watched === true,
    ...(typeof facts.signer === 'string' && { signer: facts.signer }),
    steps: (Array.isArray(facts.steps) ? facts.steps : []).filter(isFields).map((step) => ({
      id: String(step.id),
      ...(typeof step.from === 'string' && { from: step.from }),
      ...(step.skipped === true && { skipped: true }),
    })),
    payload,
  };
}

function posted(facts: JsonObject, payload: Uint8Array): OperationCommand | string {
  const status = oneOf(OperationStatus, facts.status);
  if (!status) return 'facts.status is unknown to this version';
  const stepStatus = oneOf(StepStatus, facts.step_status);
  if (facts.step !== undefined && !stepStatus) return 'facts.step_status is unknown to this version';
  return {
    kind: 'post',
    status,
    ...(stepStatus && { step: { id: String(facts.step), status: stepStatus, claim: claimFromFacts(facts) } }),
    ...(typeof facts.account === 'string' && { account: facts.account }),
    ...(facts.claims === true && { claims: true }),
    payload,
  };
}

const CANCELLERS: readonly CancelledBy[] = ['creator', 'admin', 'secret'];

function cancelled({ by }: JsonObject, payload: Uint8Array): OperationCommand | string {
  if (by === 'person') return { kind: 'post', status: OperationStatus.Cancelled, payload };
  const known = CANCELLERS.find((word) => word === by);
  return known ? { kind: 'cancel', by: known } : 'facts.by is unknown to this version';
}

const VERDICTS: readonly ChainVerdict[] = ['pending', 'matched', 'mismatched', 'reorged', 'reverted'];

function verified(facts: JsonObject): OperationCommand | string {
  const verdict = VERDICTS.find((word) => word === facts.verdict);
  if (!verdict) return 'facts.verdict is unknown to this version';
  return {
    kind: 'verified',
    subject:
      typeof facts.result === 'string'
        ? { result: facts.result }
        : { step: String(facts.step), claim: String(facts.claim) },
    verdict,
    ...(typeof facts.block === 'number' && {
      block: { number: facts.block, hash: String(facts.block_hash) },
    }),
    ...(typeof facts.reason === 'string' && { reason: facts.reason }),
  };
}

function oneOf<T extends string>(words: Readonly<Record<string, T>>, value: Json | undefined): T | undefined {
  return Object.values(words).find((word) => word === value);
}
