/** Makes a record: one entry, one secret. Only the answer to this call holds the secret. */
import {
  type Family,
  type Json,
  type NewStep,
  REPORT_MS,
  type Rejection,
  RejectionCode,
  reject,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';
import { OPERATION_QUOTAS } from '../quotas.js';
import { submitWithin } from '../submit-within.js';
import { quietly } from './chain-documents.js';
import { patienceOf } from './chain-patience.js';
import { MIN_TTL_MS, type OperationDependencies } from './dependencies.js';
import { findEarlier, requestName, withdrawal } from './earlier.js';
import type { FamilyService } from './families/family.js';
import { PAGE_RIGHTS } from './find.js';
import { newId, operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';
import { hashSecret, newSecret, seal } from './secrets.js';

export interface NewRecord {
  readonly id: string;
  readonly chainId: number;
  readonly ttlSeconds?: number;
  readonly digest: string;
  readonly steps: readonly NewStep[];
  readonly signer?: string;
  /** What is asked of the chain, whatever is said about it; absent: nothing is. */
  readonly asked?: Json;
  readonly replaces?: string;
  /** With a key of the caller's own: everything that was asked for. */
  readonly request?: Json;
  /** JSON text. */
  readonly document: Uint8Array;
  /** For the holder of the secret alone. */
  readonly sealed?: Json;
}

export interface Issued {
  readonly record: OperationRecord;
  /** The page that the person opens; absent: the record was made before, and its URL was shown then. */
  readonly url?: string;
}

/** The id of what a request makes. */
export function idFor(
  deps: OperationDependencies,
  principal: Principal,
  { rules }: FamilyService,
  idempotencyKey?: string,
): string {
  if (idempotencyKey === undefined) return newId(rules);
  return newId(rules, { pepper: deps.pepper, of: [principal.tenant, principal.agent, idempotencyKey] });
}

export async function issue(
  deps: OperationDependencies,
  principal: Principal,
  family: FamilyService,
  wanted: NewRecord,
): Promise<Outcome<Issued>> {
  const payload = wanted.document;
  const flaw = sizeFlaw(payload);
  if (flaw) return { rejection: flaw };
  const { id, chainId, digest, steps, signer } = wanted;
  const ref = operationRef(principal.tenant, id);
  const made = await readRecord(deps, ref);
  const request = wanted.request === undefined ? undefined : requestName(deps, wanted.request);
  if (made) return madeBefore(made, digest, request);
  const earlier = await findEarlier(deps, principal, family.rules.name, wanted);
  if ('rejection' in earlier) return earlier;
  const { withdrawn, ...ties } = earlier.value;
  const ttlMs = ttlOf(deps, family.rules.name, wanted.ttlSeconds);
  const secret = newSecret();
  // The credential comes first: a crash between the two leaves a secret that opens nothing, never a page that nobody
  // can open.
  await deps.store.credentials.put({
    stream: ref,
    hash: hashSecret(deps.pepper, id, secret),
    rights: PAGE_RIGHTS,
    expiresAt: deps.now() + ttlMs + REPORT_MS,
    revoked: false,
    sealed: wanted.sealed === undefined ? null : seal(secret, id, JSON.stringify(wanted.sealed)),
  });
  // The head is good to have, and not worth a wait.
  const patience = { ...patienceOf(principal), withinMs: fixedLimits.askSightMs.value };
  const client = await quietly(deps.chains.chain(chainId, patience));
  const head = client && (await quietly(client.blockNumber()));
  const sight = client && signer !== undefined ? await family.sightOf?.(client, signer) : undefined;
  const command = {
    kind: 'create',
    family: family.rules.name,
    chainId,
    ttlMs,
    lateMs: deps.settings.lateMs,
    digest,
    steps,
    watched: client !== undefined,
    payload,
    ...(head !== undefined && { head }),
    ...(signer !== undefined && { signer }),
    ...(sight?.nextSession !== undefined && { nextSession: sight.nextSession }),
    ...(request !== undefined && { request }),
    ...ties,
  } as const;
  const answer = await submitWithin(deps, principal, OPERATION_QUOTAS.create, {
    agent: principal.agent,
    steps: [{ stream: ref, command }, ...(withdrawn ? [withdrawal(withdrawn)] : [])],
    bytes: payload.length + 2_048,
  });
  if (!answer.ok) return { rejection: answer.rejection };
  if (withdrawn) deps.documents.stored(withdrawn.record, answer.results[1]?.entries ?? []);
  const record = await readRecord(deps, ref);
  if (!record) return { rejection: reject(RejectionCode.INTERNAL_ERROR, 'the record cannot be read') };
  return { value: { record, url: urlOf(deps, family, id, secret) } };
}

/** Answers a key that was used before: the same request gets its record without the URL, another one is refused. */
function madeBefore(
  record: OperationRecord,
  digest: string,
  request: string | undefined,
): { value: Issued } | { rejection: Rejection } {
  const { state } = record;
  // Records of 0.1.0 do not know their requests.
  const isSame = state.request === undefined ? state.digest === digest : state.request === request;
  if (isSame) return { value: { record } };
  const message = 'the idempotency key was already used for a different request';
  return { rejection: reject(RejectionCode.CONFLICT, message) };
}

function ttlOf({ settings }: OperationDependencies, family: Family, seconds: number | undefined): number {
  const { defaultMs, maxMs } = settings.ttl[family];
  const asked = seconds === undefined ? defaultMs : seconds * 1_000;
  return Math.max(MIN_TTL_MS, Math.min(asked, maxMs));
}

/** The URL of an external page has no fragment, because such a page could not use it. */
function urlOf(
  { settings, publicBase }: OperationDependencies,
  family: FamilyService,
  id: string,
  secret: string,
): string {
  const handle = encodeURIComponent(id);
  const external = family.externalPages(settings);
  return external ? `${external}/${handle}` : `${publicBase()}/${family.rules.place}/${handle}#k=${secret}`;
}

function sizeFlaw(payload: Uint8Array): Rejection | undefined {
  const { value: most } = fixedLimits.recordBytes;
  return payload.length > most
    ? reject(RejectionCode.PAYLOAD_TOO_LARGE, `the request has more than ${most} bytes`)
    : undefined;
}
