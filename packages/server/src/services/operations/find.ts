/**
 * Who may see a record. Everybody else gets one and the same answer, whatever they asked for.
 *
 * F1. Over MCP: the principal that created it, an administrator of its tenant, or whoever brings its secret.
 * F2. Over HTTP: whoever brings its secret, or its handle where `findByHandle` allows it. The tenant is the record's
 *     own, because a person has none.
 */

import { type Family, familyOfId, StreamKind, type StreamRef } from '@handover/core';
import type { CredentialRecord } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import type { OperationDependencies } from './dependencies.js';
import { FAMILY_SERVICES } from './families/families.js';
import { operationRef } from './ids.js';
import { type OperationRecord, readRecord } from './record.js';
import { hashSecret, sameHash, unseal } from './secrets.js';

/** What the secret of a page allows: that of the create which made the record, and those that were given later. */
export const PAGE_RIGHTS = { first: 'view act', another: 'view act, given later' } as const;

export interface Found {
  readonly record: OperationRecord;
  /** Why the caller may see the record. A page that has only the handle counts as a holder of the secret. */
  readonly by: 'creator' | 'admin' | 'secret';
  /** Only this ask may be answered; nothing may be read. */
  readonly ask?: string;
  /** What was sealed for the holder of the secret. */
  readonly sealed?: unknown;
}

export async function findForAgent(
  deps: OperationDependencies,
  principal: Principal,
  id: string,
  family: Family,
  secret?: string,
): Promise<Found | undefined> {
  if (familyOfId(id) !== family) return undefined;
  if (secret !== undefined && secret !== '') {
    const found = await findBySecret(deps, id, family, secret);
    return found?.record.ref.tenant === principal.tenant ? found : undefined;
  }
  const record = await readRecord(deps, operationRef(principal.tenant, id));
  if (!record) return undefined;
  if (record.state.creator === principal.agent) return { record, by: 'creator' };
  return principal.scopes.has(Scope.HANDOFF_ADMIN) && !isDev(deps) ? { record, by: 'admin' } : undefined;
}

/** In dev mode everybody holds every scope; that must not make everybody an administrator. */
const isDev = ({ authenticator }: OperationDependencies): boolean => authenticator.anonymous !== undefined;

export async function findBySecret(
  deps: OperationDependencies,
  id: string,
  family: Family,
  secret: string,
): Promise<Found | undefined> {
  const hash = hashSecret(deps.pepper, id, secret);
  const known = await deps.store.credentials.find(StreamKind.Operation, id);
  const credential = known.find((one) => opensPage(one, deps.now()) && sameHash(one.hash, hash));
  if (!credential) return undefined;
  const record = await readFamily(deps, operationRef(credential.stream.tenant, id), family);
  if (!record) return undefined;
  const text = credential.sealed ? unseal(secret, id, credential.sealed) : undefined;
  return { record, by: 'secret', ...(text !== undefined && { sealed: JSON.parse(text) as unknown }) };
}

/** Tokens of asks open no page. */
const opensPage = ({ rights, revoked, expiresAt }: CredentialRecord, now: number): boolean =>
  (rights === PAGE_RIGHTS.first || rights === PAGE_RIGHTS.another) && !revoked && expiresAt > now;

/** For external pages only, and only when the operator allows it: such a page has nothing but the handle. */
export async function findByHandle(
  deps: OperationDependencies,
  id: string,
  family: Family,
): Promise<Found | undefined> {
  const { settings } = deps;
  const external = FAMILY_SERVICES[family].externalPages(settings);
  if (!settings.handleOnly || external === undefined) return undefined;
  const known = await deps.store.credentials.find(StreamKind.Operation, id);
  const credential = known.find((one) => opensPage(one, deps.now()));
  const record = credential && (await readFamily(deps, operationRef(credential.stream.tenant, id), family));
  return record && { record, by: 'secret' };
}

async function readFamily(
  deps: OperationDependencies,
  ref: StreamRef<'operation'>,
  family: Family,
): Promise<OperationRecord | undefined> {
  const record = await readRecord(deps, ref);
  return record?.state.family === family ? record : undefined;
}
