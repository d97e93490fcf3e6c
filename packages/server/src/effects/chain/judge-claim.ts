/**
 * From what the chain shows of a claim to what is recorded of it (review:C3, review:C4).
 *
 * J1. A carrier settles one step of the whole server. The stream of the carrier is written in the same submission as the
 *     verdict, so two steps can never have it.
 * J2. A carrier that is older than the request belongs to something else, whoever claims it.
 * J3. It counts only if its sender is bound to the step: named by it, or the account of an ask that was made before.
 * J4. When several open steps fit, the oldest ask wins; its record gets the claim, though nobody told it.
 */
import {
  type BoundBy,
  type ClaimState,
  carrierRef,
  isDoneEffect,
  type Judgement,
  type OperationCommand,
  ReasonCode,
  RejectionCode,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import type { ChainClient } from '../../chain/port.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { Proof } from '../../services/operations/families/family.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import { submitAll, submitWith } from '../../services/operations/submit.js';
import type { OpenAskIndex } from './open-asks.js';
import { lookForReplacement } from './replaced.js';

export interface JudgeParts {
  readonly deps: OperationDependencies;
  readonly client: ChainClient;
  readonly asks: OpenAskIndex;
}

/** Clocks of chains and of servers differ by so much. */
const CLOCK_MS = 120_000;
/** After so long a hash that no node knows is called so. */
const UNSEEN_MS = 10 * 60 * 1000;

/** Which claim a judgement is about: one of a step, or one without, which may turn out to serve a step. */
type Named = Pick<Judgement, 'step' | 'serves'>;

/** A claim that names no step serves the first that it fits. */
export async function judgeLoose(
  parts: JudgeParts,
  record: OperationRecord,
  claim: ClaimState,
): Promise<boolean> {
  const { deps, client } = parts;
  const open = record.state.steps.filter(({ skipped, effect }) => !skipped && !isDoneEffect(effect));
  for (const step of open) {
    const looked = { step, claim };
    const { verdict } = await FAMILY_SERVICES[record.state.family].proveClaim(deps, client, record, looked);
    if (verdict === 'matched') return judgeClaim(parts, record, step, claim, { serves: step.id });
    if (verdict === 'pending') break;
  }
  const [first] = open;
  return first ? judgeClaim(parts, record, first, claim, {}) : false;
}

/** Whether anything was recorded. */
export async function judgeClaim(
  parts: JudgeParts,
  record: OperationRecord,
  step: StepState,
  claim: ClaimState,
  named: Named = { step: step.id },
): Promise<boolean> {
  const { deps, client } = parts;
  const found = await FAMILY_SERVICES[record.state.family].proveClaim(deps, client, record, { step, claim });
  const subject = { ...named, value: claim.value };
  const isGone = found.detail === 'not_found' && found.verdict !== 'matched';
  const replaced = isGone ? await lookForReplacement(parts, record, step, claim) : undefined;
  if (replaced) return record_(parts, record, { ...subject, ...replaced });
  const aside = (reason: ReasonCode) =>
    record_(parts, record, { ...subject, verdict: 'aside', reason, ...place(found) });
  if (await isTooOld(client, record, found)) return aside(ReasonCode.TooOld);
  if (found.verdict === 'different' && (await isTaken(parts, record, step, found)))
    return aside(ReasonCode.HashUsed);
  const isSettling = found.verdict === 'matched' || found.verdict === 'different';
  const boundBy = bindingOf(record, step, found);
  if (found.verdict === 'matched') {
    const older = await olderFit(parts, record, step, found);
    if (older) {
      await settle(
        parts,
        older.record,
        older.step.id,
        found,
        'ask',
        claimOf(older.step.id, older.ask, claim),
      );
      return aside(ReasonCode.HashUsed);
    }
  }
  if (isSettling && !boundBy && claim.kind !== 'session')
    return record_(parts, record, {
      ...subject,
      verdict: 'pending',
      reason: ReasonCode.SenderUnbound,
      ...place(found),
    });
  return found.verdict === 'matched'
    ? settle(parts, record, step.id, found, boundBy, undefined, subject)
    : record_(parts, record, { ...subject, ...plain(found, claim, deps.now()) });
}

/** It serves another step already, of whatever record. */
async function isTaken(
  { deps, client }: JudgeParts,
  { ref }: OperationRecord,
  step: StepState,
  { carrier }: Proof,
): Promise<boolean> {
  if (carrier === undefined) return false;
  const taken = await deps.engine.query(carrierRef(client.chainId, carrier));
  if (!taken) return false;
  const { tenant, operation, step: by } = taken.state;
  return tenant !== ref.tenant || operation !== ref.id || by !== step.id;
}

async function record_(
  { deps }: JudgeParts,
  record: OperationRecord,
  judgement: Judgement,
): Promise<boolean> {
  const answer = await submitAll(deps, record, RUNTIME_ACTOR, [{ kind: 'judge', judgement }]);
  return answer.ok && answer.results.some(({ entries }) => entries.length > 0);
}

const place = ({ block, carrier, proof, contract, from, nonce }: Proof) => ({
  ...(from !== undefined && nonce !== undefined && { sender: from, nonce }),
  ...(block && { block }),
  ...(carrier !== undefined && { carrier }),
  ...(proof !== undefined && { proof }),
  ...(contract !== undefined && { contract }),
});

function plain(found: Proof, claim: ClaimState, now: number): Omit<Judgement, 'step' | 'value'> {
  const { verdict, reason, detail } = found;
  const unseen = verdict === 'pending' && detail === 'not_found' && now - claim.at > UNSEEN_MS;
  const code = unseen ? ReasonCode.NotSeen : reason;
  return {
    verdict,
    ...place(found),
    ...(code !== undefined && { reason: code }),
    ...(detail !== undefined && { detail }),
  };
}

/** Older than the request: a head was recorded with it, or its time has to do. */
async function isTooOld(client: ChainClient, { state }: OperationRecord, { block }: Proof): Promise<boolean> {
  if (!block) return false;
  if (state.head !== undefined) return block.number <= state.head;
  const time = await client.blockTime(block.number);
  return time !== null && time < state.createdAt - CLOCK_MS;
}

/** Who sent it is somebody whom the step names, or whose wallet was asked before its block. */
function bindingOf({ state }: OperationRecord, step: StepState, { from, block }: Proof): BoundBy | undefined {
  if (from === undefined || !block) return undefined;
  // Where the step names somebody, a difference is what the check of the transaction has said.
  if (step.from !== undefined) return 'from';
  if (state.signer !== undefined) return state.signer === from ? 'expected_signer' : undefined;
  const isBefore = ({ account, head }: { readonly account?: string; readonly head?: number }) =>
    account === from && (head === undefined || head < block.number);
  const asked = state.asks.some((ask) => ask.steps.includes(step.id) && isBefore(ask));
  return asked || state.connected.some(isBefore) ? 'ask' : undefined;
}

interface OlderFit {
  readonly record: OperationRecord;
  readonly step: StepState;
  readonly ask: string;
}

/** An open ask of the same account, made before this step's own, whose step asks for exactly this. */
async function olderFit(
  { deps, client, asks }: JudgeParts,
  record: OperationRecord,
  step: StepState,
  { from, carrier, block }: Proof,
): Promise<OlderFit | undefined> {
  if (from === undefined || carrier === undefined || !block) return undefined;
  const own = record.state.asks.find(({ steps, account }) => steps.includes(step.id) && account === from);
  for (const { ref, ask, at } of asks.byAccount(client.chainId, from)) {
    if (own && (at > own.at || (at === own.at && ask >= own.id))) return undefined;
    const other = await readRecord(deps, ref);
    const made = other?.state.asks.find(({ id }) => id === ask);
    if (!other || !made || (made.head !== undefined && made.head >= block.number)) continue;
    for (const candidate of other.state.steps) {
      if (!made.steps.includes(candidate.id) || (ref.id === record.ref.id && candidate.id === step.id))
        continue;
      if (candidate.status === 'confirmed') continue;
      const looked = { step: candidate, claim: { kind: 'tx', value: carrier } } as const;
      const proof = await FAMILY_SERVICES[other.state.family].proveClaim(deps, client, other, looked);
      if (proof.verdict === 'matched') return { record: other, step: candidate, ask };
    }
  }
  return undefined;
}

const claimOf = (step: string, ask: string, { kind }: ClaimState) => ({ step, ask, kind });

/** The verdict and the carrier together. Undefined `boundBy`: sessions, which are bound by their owner. */
async function settle(
  parts: JudgeParts,
  record: OperationRecord,
  step: string,
  found: Proof,
  boundBy: BoundBy | undefined,
  claim: { readonly ask: string; readonly kind: ClaimState['kind'] } | undefined,
  subject: Named & { readonly value: string } = { step, value: found.carrier ?? '' },
): Promise<boolean> {
  const { value } = subject;
  const { deps, client } = parts;
  const commands: OperationCommand[] = [
    ...(claim ? [{ kind: 'claim', claim: { step, value, source: 'nonce', ...claim } } as const] : []),
    {
      kind: 'judge',
      judgement: { ...subject, verdict: 'matched', ...place(found), ...(boundBy && { boundBy }) },
    },
  ];
  const take = {
    stream: carrierRef(client.chainId, found.carrier ?? value),
    command: { kind: 'take', tenant: record.ref.tenant, operation: record.ref.id, step },
  } as const;
  const answer = await submitWith(deps, record, RUNTIME_ACTOR, commands, take);
  if (answer.ok) return answer.results.some(({ entries }) => entries.length > 0);
  if (answer.rejection.code !== RejectionCode.CONFLICT) return false;
  return record_(parts, record, { ...subject, verdict: 'aside', reason: ReasonCode.HashUsed });
}
