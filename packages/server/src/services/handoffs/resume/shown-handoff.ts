/** A handoff as its receiver goes on with it: the brief of its package, what came after that, and what was sent beside it. */
import {
  authorsUpTo,
  noteAbout,
  type ReadPackage,
  RequestType,
  readableUpTo,
  type StreamRef,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Outcome } from '../../outcome.js';
import { readEntries } from '../context-entries.js';
import type { HandoffDependencies } from '../dependencies.js';
import { type FoundHandoff, findHandoff, handoffNotFound, isParty } from '../find-handoff.js';
import { type PackageReads, packageEntries } from '../get-package.js';
import { notPending } from '../move-refusal.js';
import type { HandoffView } from '../types.js';
import { worklogRef } from '../worklogs.js';
import { lastGit } from './last-git.js';
import { offerWords, packageBrief } from './session-brief.js';
import type { Delta, Resumed, Shown } from './types.js';

/** Attachments in one answer. */
export const MOST_LISTED = 20;
const MOST_ENTRIES = 50;

export async function showHandoff(
  deps: HandoffDependencies,
  reads: PackageReads,
  principal: Principal,
  view: HandoffView,
): Promise<Outcome<Shown>> {
  const { handoffId, sessionKey, from, requestType, phase, offeredAt, expiresAt } = view;
  if (view.status === 'failed') return { rejection: notPending(view) };
  const found = await findHandoff(deps, principal, handoffId);
  if (!found || !isParty(found, principal.agent)) return { rejection: handoffNotFound(handoffId) };
  const inside = await packageEntries(deps, principal, found);
  const ref = sessionKey === undefined ? undefined : worklogRef(principal.tenant, sessionKey);
  const known = ref && (await deps.engine.query(ref))?.state;
  // Of a working session that is gone, only the words of the package are left.
  const isGone = inside?.withheld !== undefined;
  const state = isGone ? undefined : known;
  const about = known && noteAbout(known);
  const instructions = inside && instructionsIn(inside.handed);
  const { takeOver } = found.session.binding ?? {};
  const value: Shown = {
    kind: 'offer',
    yours: phase === 'committed' && state?.owner === principal.agent,
    ...(sessionKey !== undefined && { sessionKey }),
    handoffId,
    from,
    owner: state?.owner ?? view.holder,
    authors: [...authorsOf(view, state, principal), from],
    ...(requestType !== undefined && { requestType }),
    phase,
    offeredAt,
    expiresAt,
    ...(instructions !== undefined && { instructions }),
    brief: inside ? packageBrief(deps, inside.handed, inside.ref, isGone) : offerWords(reads.brief, found),
    ...(ref && state ? await sinceThen(deps, principal, view, ref, state) : { delta: { count: 0 } }),
    ...(await sentWith(
      reads,
      principal,
      found,
      requestType === RequestType.ContextTransfer ? undefined : state,
    )),
    ...(takeOver && { silentSince: takeOver.silentSince }),
    ...(about !== undefined && { about }),
    ...(known?.project && { project: known.project }),
  };
  return { value };
}

/** Of the entries that are shown; what was said beside them is the sender's. */
function authorsOf(
  { packageUpTo = 0, requestType }: HandoffView,
  state: WorklogState | undefined,
  { agent }: Principal,
): readonly string[] {
  if (!state) return [];
  const since = requestType === RequestType.ContextTransfer ? 0 : (readableUpTo(state, agent) ?? 0);
  return authorsUpTo(state, Math.max(packageUpTo, since));
}

/** What came with this one, and with earlier ones of its working session: a copy brings only its own. */
async function sentWith(
  reads: PackageReads,
  principal: Principal,
  found: FoundHandoff,
  state: WorklogState | undefined,
): Promise<Pick<Resumed, 'attachments' | 'attachmentsTotal'>> {
  const { attachments, attachmentsTotal } = await reads.attachments.list(found, principal.agent);
  const own = attachments.slice(0, MOST_LISTED);
  if (!state) return { attachments: own, attachmentsTotal };
  const before = await reads.sentBefore.list(principal, state, {
    most: MOST_LISTED - own.length,
    except: found.session.id,
  });
  return {
    attachments: [...own, ...before.attachments],
    attachmentsTotal: attachmentsTotal + before.attachmentsTotal,
  };
}

/** What the working session says beyond the package: entries that came later, and where the folder stood. */
async function sinceThen(
  deps: HandoffDependencies,
  { agent }: Principal,
  { packageUpTo: upTo = 0, requestType, phase }: HandoffView,
  ref: StreamRef<'worklog'>,
  state: WorklogState,
): Promise<Pick<Resumed, 'delta' | 'git'>> {
  const readable = readableUpTo(state, agent) ?? 0;
  const git = await lastGit(deps, ref, state, Math.max(upTo, readable));
  const folder = git ? { git } : {};
  // Of work that stays with its owner, what comes later is the owner's.
  if (requestType === RequestType.ContextTransfer) return folder;
  const to = state.lastNumber;
  const count = Math.max(0, to - upTo);
  if (count === 0) return { delta: { count }, ...folder };
  const delta: Delta = { count, fromSequence: upTo + 1, toSequence: to };
  if (readable < to) return { delta: { ...delta, withheld: withheldIn(phase) }, ...folder };
  const { entries } = await readEntries(deps, ref, { after: upTo, upTo: to }, MOST_ENTRIES);
  return { delta: { ...delta, entries }, ...folder };
}

function withheldIn(phase: HandoffView['phase']): string {
  if (phase === 'committed') return 'they came after you had handed it over';
  return phase === 'accepted' ? 'you can read them when its owner commits' : 'accept to read them';
}

function instructionsIn({ requestData }: ReadPackage): string | undefined {
  const { instructions } = requestData;
  return typeof instructions === 'string' && instructions !== '' ? instructions : undefined;
}
