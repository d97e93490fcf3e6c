/** Makes a record: one entry, one link. */
import { type Family, type Json, REPORT_MS, type Rejection, RejectionCode, reject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Outcome } from '../outcome.js';
import { OPERATION_QUOTAS } from '../quotas.js';
import { submitWithin } from '../submit-within.js';
import { patienceOf } from './chain-patience.js';
import { headOf } from './chain-sight.js';
import { MIN_TTL_MS, type OperationDependencies } from './dependencies.js';
import { findEarlier, requestName, type WantedStep, withdrawal } from './earlier.js';
import type { FamilyService } from './families/family.js';
import { newId, operationRef } from './ids.js';
import { anotherLink, firstLink } from './links.js';
import { type OperationRecord, readRecord } from './record.js';

export interface NewRecord {
  readonly id: string;
  readonly chainId: number;
  readonly ttlSeconds?: number;
  readonly digest: string;
  readonly steps: readonly WantedStep[];
  readonly signer?: string;
  /** What is asked of the chain as a whole, where steps do not count for themselves. */
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
  /** The page that the person opens; absent: none is given any more. */
  readonly url?: string;
  /** Else an earlier call has made it. */
  readonly isNew: boolean;
  /** Of a new one: how many others for the same there are besides the one that it names. */
  readonly others?: number;
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
  const { id, chainId, digest, signer } = wanted;
  const ref = operationRef(principal.tenant, id);
  const made = await readRecord(deps, ref);
  const request = wanted.request === undefined ? undefined : requestName(deps, wanted.request);
  const same = { ...wanted, name: request };
  if (made) return madeBefore(deps, family, made, same);
  const earlier = await findEarlier(deps, principal, family.rules.name, wanted);
  if ('rejection' in earlier) return earlier;
  const { withdrawn, others, ...ties } = earlier.value;
  const ttlMs = ttlOf(deps, family.rules.name, wanted.ttlSeconds);
  // The link comes first: a crash between the two leaves a secret that opens nothing, never a page that nobody can open.
  const link = await firstLink(deps, family, {
    ref,
    expiresAt: deps.now() + ttlMs + REPORT_MS,
    ...(wanted.sealed !== undefined && { sealed: wanted.sealed }),
  });
  // The head is good to have, and not worth a wait.
  const patience = { ...patienceOf(principal), withinMs: fixedLimits.askSightMs.value };
  const { client, head } = await headOf(deps, chainId, patience);
  const sight = client && signer !== undefined ? await family.sightOf?.(client, signer) : undefined;
  const command = {
    kind: 'create',
    family: family.rules.name,
    chainId,
    ttlMs,
    lateMs: deps.settings.lateMs,
    digest,
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
    steps: [{ stream: ref, command }, ...(withdrawn ? [withdrawal(withdrawn, id)] : [])],
    bytes: payload.length + 2_048,
  });
  if (!answer.ok) {
    await link.drop();
    // The same call may have come twice at once.
    const meanwhile = await readRecord(deps, ref);
    return meanwhile ? madeBefore(deps, family, meanwhile, same) : { rejection: answer.rejection };
  }
  if (withdrawn) deps.documents.stored(withdrawn.record, answer.results[1]?.entries ?? []);
  const record = await readRecord(deps, ref);
  if (!record) return { rejection: reject(RejectionCode.INTERNAL_ERROR, 'the record cannot be read') };
  return { value: { record, url: link.url, isNew: true, ...(others !== undefined && { others }) } };
}

/** Answers a key that was used before: the same request gets its record and another link, any other one is refused. */
async function madeBefore(
  deps: OperationDependencies,
  family: FamilyService,
  record: OperationRecord,
  { digest, name, sealed }: Pick<NewRecord, 'digest' | 'sealed'> & { readonly name: string | undefined },
): Promise<Outcome<Issued>> {
  const { state } = record;
  // Records of 0.1.0 do not know their requests.
  const isSame = state.request === undefined ? state.digest === digest : state.request === name;
  if (!isSame) return { rejection: reject(RejectionCode.CONFLICT, USED) };
  const url = await anotherLink(deps, family, record, sealed);
  return { value: { record, isNew: false, ...(url !== undefined && { url }) } };
}

const USED = 'the idempotency key was already used for a different request';

function ttlOf({ settings }: OperationDependencies, family: Family, seconds: number | undefined): number {
  const { defaultMs, maxMs } = settings.ttl[family];
  const asked = seconds === undefined ? defaultMs : seconds * 1_000;
  return Math.max(MIN_TTL_MS, Math.min(asked, maxMs));
}

function sizeFlaw(payload: Uint8Array): Rejection | undefined {
  const { value: most } = fixedLimits.recordBytes;
  return payload.length > most
    ? reject(RejectionCode.PAYLOAD_TOO_LARGE, `the request has more than ${most} bytes`)
    : undefined;
}
