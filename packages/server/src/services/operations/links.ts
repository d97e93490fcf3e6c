/**
 * The links by which a person opens a record.
 *
 * L1. A link holds a secret of its own, which only the answer that gives it shows.
 * L2. An agent that lost the answer of a create sends the same call again and gets another link to the same record. The
 *     links before it stay good: one of them may have reached the person, who may have the page open.
 * L3. A record has a bounded number of links, and none is given once it is over.
 */
import {
  isOver,
  type Json,
  type OperationState,
  reportUntil,
  StreamKind,
  type StreamRef,
} from '@handover/core';
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

/** The URL that opens the record from now on. */
export async function newLink(
  deps: OperationDependencies,
  family: FamilyService,
  { ref, expiresAt, sealed }: NewLink,
): Promise<string> {
  const { id } = ref;
  const secret = newSecret();
  await deps.store.credentials.put({
    stream: ref,
    hash: hashSecret(deps.pepper, id, secret),
    rights: PAGE_RIGHTS,
    expiresAt,
    revoked: false,
    sealed: sealed === undefined ? null : seal(secret, id, JSON.stringify(sealed)),
  });
  return urlOf(deps, family, id, secret);
}

/** For a create that was repeated; undefined: the record is over, or has as many links as it may have. */
export async function anotherLink(
  deps: OperationDependencies,
  family: FamilyService,
  { ref, state }: OperationRecord,
  sealed: Json | undefined,
): Promise<string | undefined> {
  if (isOver(state) || state.closing) return undefined;
  const known = await deps.store.credentials.find(StreamKind.Operation, ref.id);
  const links = known.filter(({ rights }) => rights === PAGE_RIGHTS);
  if (links.length >= fixedLimits.pageLinks.value) return undefined;
  return newLink(deps, family, {
    ref,
    expiresAt: reportUntil(state),
    ...(sealed !== undefined && { sealed }),
  });
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
