/**
 * Asks of a wallet: their ids, the tokens by which they are answered, and what the chain says when they are made.
 *
 * A1. A token is made for each ask, shown once and kept as a hash like the secret of a page. It answers this ask and does
 *     nothing else, for as long as reports are taken: a page needs neither its tab nor its secret to tell what happened.
 * A2. The chain is asked for a second at most. An ask without these facts is as good, only harder to look for.
 */
import { randomBytes } from 'node:crypto';
import {
  AskStanding,
  type AskState,
  isSameAsk,
  knownAsk,
  type NewAsk,
  type OperationState,
  operationFlaw,
  RejectionCode,
  rejectWith,
  reportUntil,
  StreamKind,
} from '@handover/core';
import type { Hex } from '../../chain/port.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';
import { quietly } from './chain-documents.js';
import { headOf } from './chain-sight.js';
import type { OperationDependencies } from './dependencies.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { AccountSight } from './families/family.js';
import type { AskWish } from './families/page-wish.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';
import { type LeftPrompt, leftPrompts } from './replaced.js';
import { hashSecret, newSecret, sameHash } from './secrets.js';
import { submitTo } from './submit.js';

/** Shown once, to the page that asked. */
export interface AskGrant {
  readonly id: string;
  readonly token: string;
  readonly stepIds: readonly string[];
  /** The number to sign with: the one that an earlier prompt would have used. */
  readonly nonce?: number;
}

const RIGHTS = 'answer ';

export async function makeAsk(
  deps: OperationDependencies,
  record: OperationRecord,
  agent: string,
  wish: AskWish,
): Promise<Outcome<AskGrant>> {
  const { kind: _kind, ...named } = wish;
  const known = knownAsk(record.state, wish);
  if (known && isSameAsk(known, wish)) return grantAgain(deps, record, known);
  if (deps.openAsks.of(record.ref.tenant, record.state.creator) >= fixedLimits.openAsks.value)
    return { rejection: TOO_MANY };
  const { flaw, ...seen } = await sight(deps, record, wish);
  if (flaw !== undefined) return { rejection: operationFlaw(flaw) };
  const ask: NewAsk = { id: `ask_${randomBytes(12).toString('hex')}`, ...named, ...seen };
  const answer = await submitTo(deps, record, agent, { kind: 'ask', ask });
  if (!answer.ok) return { rejection: answer.rejection };
  return { value: await grant(deps, record, ask) };
}

/** A page that lost the answer gets another token; one that asks for ever does not. */
async function grantAgain(
  deps: OperationDependencies,
  record: OperationRecord,
  ask: AskState,
): Promise<Outcome<AskGrant>> {
  const given = await deps.store.credentials.find(StreamKind.Operation, record.ref.id);
  const own = given.filter(({ rights }) => rights === `${RIGHTS}${ask.id}`);
  return own.length < fixedLimits.askTokens.value
    ? { value: await grant(deps, record, ask) }
    : { rejection: TOO_MANY_TOKENS };
}

const TOO_MANY_TOKENS = rejectWith(
  RejectionCode.CONFLICT,
  `this ask was repeated ${fixedLimits.askTokens.value} times; answer it with a token that was given`,
  { code: 'LIMIT' },
);

const TOO_MANY = rejectWith(
  RejectionCode.CONFLICT,
  `${fixedLimits.openAsks.value} wallet prompts for requests of this agent are open; answer some of them first`,
  { code: 'LIMIT' },
);

async function grant(deps: OperationDependencies, record: OperationRecord, ask: NewAsk): Promise<AskGrant> {
  const { ref, state } = record;
  const { id, steps } = ask;
  const nonce = repeatedNonce(state, ask) ?? leftNonce(await leftPrompts(deps, record), ask);
  const token = newSecret();
  await deps.store.credentials.put({
    stream: ref,
    hash: hashSecret(deps.pepper, ref.id, token),
    rights: `${RIGHTS}${id}`,
    expiresAt: reportUntil(state),
    revoked: false,
    sealed: null,
  });
  return { id, token, stepIds: steps, ...(nonce !== undefined && { nonce }) };
}

/**
 * After somebody said that a prompt was not signed, it may still be open. The next one repeats the number that it would
 * have used, while that is free: then at most one of the two can be mined (review:X2).
 */
function repeatedNonce({ asks }: OperationState, ask: NewAsk): number | undefined {
  const { id, steps, account, pendingNonce } = ask;
  const earlier = asks.findLast(
    (one) =>
      one.id !== id &&
      one.account === account &&
      (one.standing === AskStanding.Quiet || one.standing === AskStanding.NotSigned) &&
      one.steps.some((step) => steps.includes(step)),
  );
  return earlier && earlier.pendingNonce === pendingNonce ? pendingNonce : undefined;
}

/** The same for a prompt of a request in whose place this one was made. */
function leftNonce(
  left: readonly LeftPrompt[],
  { steps, account, pendingNonce }: NewAsk,
): number | undefined {
  const same = left.find((one) => one.ask.account === account && one.steps.some((id) => steps.includes(id)));
  return same && same.ask.pendingNonce === pendingNonce ? pendingNonce : undefined;
}

/** The record and the ask that a token answers; undefined: none, whatever the reason. */
export async function findByAskToken(
  deps: OperationDependencies,
  id: string,
  token: string,
): Promise<{ readonly record: OperationRecord; readonly ask: string } | undefined> {
  const hash = hashSecret(deps.pepper, id, token);
  const known = await deps.store.credentials.find(StreamKind.Operation, id);
  const credential = known.find(
    (one) =>
      one.rights.startsWith(RIGHTS) && sameHash(one.hash, hash) && !one.revoked && one.expiresAt > deps.now(),
  );
  const record = credential && (await readRecord(deps, operationRef(credential.stream.tenant, id)));
  return record && { record, ask: credential.rights.slice(RIGHTS.length) };
}

/** The head of the chain, where it is known soon enough. */
export async function headInSight(
  deps: OperationDependencies,
  { state }: OperationRecord,
): Promise<number | undefined> {
  return (await headOf(deps, state.chainId, PATIENCE)).head;
}

const PATIENCE = { asker: 'asks', withinMs: fixedLimits.askSightMs.value };

/** What the chain says before the wallet is asked. */
async function sight(
  deps: OperationDependencies,
  { state }: OperationRecord,
  { account, session }: AskWish,
): Promise<AccountSight & Pick<NewAsk, 'head' | 'nonce' | 'pendingNonce'>> {
  const { client, head } = await headOf(deps, state.chainId, PATIENCE);
  if (!client) return {};
  const address = account as Hex | undefined;
  const nonce = address && (await quietly(client.nonce(address, 'latest')));
  const pendingNonce = address && (await quietly(client.nonce(address, 'pending')));
  const more = address && (await FAMILY_SERVICES[state.family].sightOf?.(client, address, session));
  return {
    ...more,
    ...(head !== undefined && { head }),
    ...(nonce !== undefined && { nonce }),
    ...(pendingNonce !== undefined && { pendingNonce }),
  };
}

/** Open asks by creator, kept by whoever follows the log. */
export interface OpenAsks {
  of(tenant: string, creator: string): number;
}
