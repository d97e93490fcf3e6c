/**
 * The links by which a person opens a record.
 *
 * L1. A link holds a secret of its own, which only the answer that gives it shows.
 * L2. An agent that lost the answer of a create sends the same call again and gets another link to the same record. The
 *     links before it stay good: one of them may have reached the person, who may have the page open.
 * L3. A record has a bounded number of links, and none is given once it is over. Only links that somebody was given count,
 *     also when many creates come at once: the first one, and those given later, of which the store puts no more.
 */
import { isOver, type Json, type OperationState, reportUntil, type StreamRef } from '@handover/core';
import type { CredentialRecord } from '@handover/engine';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { OperationDependencies } from './dependencies.js';
import type { FamilyService } from './families/family.js';
import { PAGE_RIGHTS } from './find.js';
import type { OperationRecord } from './record.js';
import { hashSecret, newSecret, seal } from './secrets.js';

interface NewLink {
  readonly ref: StreamRef<'operation'>;
  readonly expiresAt: number;
  /** For the holder of the link alone. */
  readonly sealed?: Json;
}

export interface Link {
  readonly url: string;
  /** Takes it back: it was given to nobody. */
  drop(): Promise<void>;
}

/** For the create that makes the record. One that turns out not to be that one drops it: it counts as no link (L3). */
export async function firstLink(
  deps: OperationDependencies,
  family: FamilyService,
  wanted: NewLink,
): Promise<Link> {
  const { url, credential } = linkTo(deps, family, wanted, PAGE_RIGHTS.first);
  const { credentials } = deps.store;
  await credentials.put(credential);
  return { url, drop: () => credentials.remove(wanted.ref, credential.hash) };
}

/** For a create that was repeated; undefined: the record is over, or has as many links as it may have. */
export async function anotherLink(
  deps: OperationDependencies,
  family: FamilyService,
  { ref, state }: OperationRecord,
  sealed: Json | undefined,
): Promise<string | undefined> {
  if (isOver(state) || state.closing) return undefined;
  const wanted = { ref, expiresAt: reportUntil(state), ...(sealed !== undefined && { sealed }) };
  const { url, credential } = linkTo(deps, family, wanted, PAGE_RIGHTS.another);
  const isPut = await deps.store.credentials.putWithin(credential, fixedLimits.pageLinks.value - 1);
  return isPut ? url : undefined;
}

function linkTo(
  deps: OperationDependencies,
  family: FamilyService,
  { ref, expiresAt, sealed }: NewLink,
  rights: string,
): { readonly url: string; readonly credential: CredentialRecord } {
  const { id } = ref;
  const secret = newSecret();
  const credential = {
    stream: ref,
    hash: hashSecret(deps.pepper, id, secret),
    rights,
    expiresAt,
    revoked: false,
    sealed: sealed === undefined ? null : seal(secret, id, JSON.stringify(sealed)),
  };
  return { url: urlOf(deps, family, id, secret), credential };
}

/** What an agent can do that needs a link and did not get one. */
export function withoutLink(state: OperationState): string {
  return isOver(state) || state.closing
    ? 'It was made by an earlier call and is over or withdrawn, so no link is given.'
    : `It was made by an earlier call and has ${fixedLimits.pageLinks.value} links already. If the person has none of them, cancel it and create it again with replaces.`;
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
