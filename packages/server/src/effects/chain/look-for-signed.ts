/**
 * Looks for what a wallet may have signed without anybody telling (review:S1, review:S2, rows 17, 22 to 24, 28 and 29).
 *
 * S1. An account whose nonce has risen since an ask has sent something: each of those transactions is compared with what
 *     was asked for. One that fits is a claim.
 * S2. An open claim whose number was used by another transaction was sped up, if that one asks for the same, or replaced.
 * S3. A quiet time ends only after a look that has found nothing, and when the node knows nothing that waits.
 */
import {
  type AskState,
  ClaimKind,
  ClaimSource,
  isDoneEffect,
  type NewClaim,
  type OperationCommand,
  RUNTIME_ACTOR,
  type StepState,
} from '@handover/core';
import { checkSession } from '../../chain/check-session.js';
import type { Hex } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { OperationRecord } from '../../services/operations/record.js';
import { submitTo } from '../../services/operations/submit.js';
import type { JudgeParts } from './judge-claim.js';

/** A permit that has run out may reach its node a little later. */
const PERMIT_GRACE_MS = 120_000;

export async function lookForSigned(parts: JudgeParts, record: OperationRecord): Promise<boolean> {
  let moved = false;
  for (const ask of record.state.asks) {
    if (!isUnanswered(ask)) continue;
    const own = record.state.steps.filter(({ id }) => ask.steps.includes(id));
    // A step that is done may have been done twice.
    const step = own.find(({ effect }) => !isDoneEffect(effect)) ?? own[0];
    if (!step) continue;
    const command = ask.session ? await bySession(parts, ask, step) : await byNonce(parts, record, ask, step);
    if (!command) continue;
    const answer = await submitTo(parts.deps, record, RUNTIME_ACTOR, command);
    if (answer.ok && answer.results.some(({ entries }) => entries.length > 0)) moved = true;
  }
  return moved;
}

const UNANSWERED: readonly AskState['standing'][] = ['open', 'unclear', 'quiet', 'not_signed', 'lapsed'];
export const isUnanswered = ({ standing }: AskState): boolean => UNANSWERED.includes(standing);

const claimed = (claim: NewClaim): OperationCommand => ({ kind: 'claim', claim });

async function bySession(
  { client, deps }: JudgeParts,
  ask: AskState,
  step: StepState,
): Promise<OperationCommand | undefined> {
  if (!ask.session) return undefined;
  const { sessionId, owner, permitExpiry } = ask.session;
  const { verdict, reason } = await checkSession(client, { owner, sessionId });
  if (verdict === 'matched')
    return claimed({
      step: step.id,
      ask: ask.id,
      kind: ClaimKind.Session,
      value: sessionId,
      owner,
      source: ClaimSource.Logs,
    });
  const isPast = deps.now() > permitExpiry * 1_000 + PERMIT_GRACE_MS;
  return isPast && reason === 'not_started' && ask.standing !== 'not_signed'
    ? { kind: 'settleAsk', ask: ask.id }
    : undefined;
}

async function byNonce(
  parts: JudgeParts,
  record: OperationRecord,
  ask: AskState,
  step: StepState,
): Promise<OperationCommand | undefined> {
  const { client, deps } = parts;
  if (ask.account === undefined || ask.nonce === undefined) return undefined;
  const account = ask.account as Hex;
  const latest = await client.nonce(account, 'latest');
  const most = Math.min(latest, ask.nonce + fixedLimits.scannedNonces.value);
  for (let nonce = ask.nonce; nonce < most; nonce++) {
    const hash = await client.sentWith(account, nonce, ask.head);
    if (hash === undefined || isKnown(record, hash)) continue;
    const looked = { step, claim: { kind: ClaimKind.Tx, value: hash } } as const;
    const { verdict, detail } = await FAMILY_SERVICES[record.state.family].proveClaim(
      deps,
      client,
      record,
      looked,
    );
    const fits = verdict === 'matched' || (verdict === 'pending' && detail !== 'not_found');
    if (fits)
      return claimed({
        step: step.id,
        ask: ask.id,
        kind: ClaimKind.Tx,
        value: hash,
        source: ClaimSource.Nonce,
      });
  }
  const isQuietOver = ask.standing === 'quiet' && deps.now() >= (ask.quietUntil ?? 0);
  if (!isQuietOver || (await client.nonce(account, 'pending')) > latest) return undefined;
  return { kind: 'settleAsk', ask: ask.id };
}

const isKnown = ({ state }: OperationRecord, hash: string): boolean =>
  state.steps.some(({ claims }) => claims.some(({ value, was }) => value === hash || was?.includes(hash)));
