/** The frozen package of a handoff, what was sent beside it, and, page by page, the entries that go with it. */
import {
  type Brief,
  HandoffMessageType,
  handoffPayloads,
  PACKAGE_CONTENT_TYPE,
  type ReadPackage,
  readPackage,
  type StreamRef,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Attachments } from './attachments.js';
import { readEntries } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { type FoundHandoff, findHandoff, handoffNotFound, isParty } from './find-handoff.js';
import { phaseOf, statusOfPhase } from './handoff-phase.js';
import type { SentBefore } from './sent-before.js';
import { storedPayload } from './stored-payload.js';
import type { HandoffService } from './types.js';
import { worklogRef } from './worklogs.js';

export interface PackageReads {
  readonly attachments: Attachments;
  readonly sentBefore: SentBefore;
  /** Of an offer over MACP. */
  brief(found: FoundHandoff, tokenBudget: number): Promise<Brief>;
}

type Args = Parameters<HandoffService['getPackage']>[1];

/** The entries that a package was made of. */
export interface PackageEntries {
  readonly ref: StreamRef<'worklog'>;
  readonly handed: ReadPackage;
  /** Why the caller may not read them. */
  readonly withheld?: string;
}

/** For a party of the handoff; undefined: it came over MACP and has no package. */
export async function packageEntries(
  deps: HandoffDependencies,
  { tenant, agent }: Principal,
  found: FoundHandoff,
): Promise<PackageEntries | undefined> {
  const handed = await packageOf(deps, found);
  if (!handed) return undefined;
  const ref = worklogRef(tenant, handed.sessionKey);
  const withheld = whyWithheld(found, (await deps.engine.query(ref))?.state, agent);
  return { ref, handed, ...(withheld !== undefined && { withheld }) };
}

export async function getPackage(
  deps: HandoffDependencies,
  reads: PackageReads,
  principal: Principal,
  { handoffId, afterSequence = 0, limit, bytes }: Args,
): ReturnType<HandoffService['getPackage']> {
  const found = await findHandoff(deps, principal, handoffId);
  if (!found || !isParty(found, principal.agent)) return { rejection: handoffNotFound(handoffId) };
  const sent = await reads.attachments.list(found, principal.agent);
  const inside = await packageEntries(deps, principal, found);
  if (!inside) {
    const open = failedFor(found, principal.agent) === undefined;
    const brief = open ? await reads.brief(found, deps.settingsNow().packageTokenBudget) : undefined;
    return { value: { package: null, ...(brief && { brief }), entries: [], hasMore: false, ...sent } };
  }
  const { ref, handed, withheld: entriesWithheld } = inside;
  if (entriesWithheld !== undefined)
    return { value: { package: handed, entries: [], hasMore: false, entriesWithheld, ...sent } };
  const range = { after: Math.max(0, afterSequence), upTo: handed.manifest.lastSequence };
  return { value: { package: handed, ...(await readEntries(deps, ref, range, limit, bytes)), ...sent } };
}

/** The target of a failed offer may no longer read the entries. */
function whyWithheld(
  found: FoundHandoff,
  worklog: WorklogState | undefined,
  agent: string,
): string | undefined {
  if (!worklog || worklog.status === WorklogStatus.Purged) return 'the working session has been purged';
  const failed = failedFor(found, agent);
  return failed === undefined
    ? undefined
    : `the handoff is ${failed}; its entries are no longer open to its target`;
}

function failedFor(found: FoundHandoff, agent: string): string | undefined {
  const phase = phaseOf(found);
  return agent === found.offer.target && statusOfPhase(phase) === 'failed' ? phase : undefined;
}

async function packageOf(
  { store, codec }: HandoffDependencies,
  { ref, session, offer }: FoundHandoff,
): Promise<ReadPackage | undefined> {
  if (!session.binding) return undefined;
  // Start, offer and package were appended together, so the package is among the first entries or does not exist.
  const heads = await store.load(ref, 0, 4);
  const head = heads.find(
    ({ type, facts }) => type === HandoffMessageType.Context && facts.handoff_id === offer.handoffId,
  );
  const [entry] = head ? await store.read(ref, head.seq - 1, { entries: 1, bytes: 0 }) : [];
  const context = entry && codec.decode(handoffPayloads.HandoffContext, storedPayload(entry, codec));
  if (context?.contentType !== PACKAGE_CONTENT_TYPE) return undefined;
  return readPackage(context.context, codec);
}
