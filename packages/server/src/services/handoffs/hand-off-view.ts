/** What a handoff in one call answers, made of what is stored: the first time and at every retry. */
import {
  type EntryHead,
  type Gathered,
  named,
  noteAbout,
  RequestType,
  WorklogEntryType,
  writeBrief,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';
import { findHandoff } from './find-handoff.js';
import { gatherSession } from './gather-session.js';
import type { HandedOff } from './hand-off-before.js';
import { saidEntry } from './hand-off-entry.js';
import type { HandOffArgs, HandOffView } from './hand-off-types.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { formatHandoffId } from './ids.js';
import { reachesOthers } from './open-parking.js';
import { handOffWarnings } from './session-warnings.js';
import type { HandoffView } from './types.js';

const HEADS_PAGE = 200;
const { Parked, HandoffRequested, ContextAdded } = WorklogEntryType;

interface Asking {
  readonly principal: Principal;
  readonly connection?: Pick<Connection, 'transport'> | undefined;
}

export async function viewHandOff(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  { principal, connection }: Asking,
  { ref, anchor }: HandedOff,
  args: HandOffArgs,
  /** What was gathered up to the handoff, if it is at hand. */
  known?: Gathered,
): Promise<HandOffView> {
  const { facts, seq } = anchor;
  const { attachments = [] } = args;
  const budget = deps.settingsNow().packageTokenBudget;
  const gathered =
    known ?? (await gatherSession(deps, ref, await lastNumber(deps, ref, seq), budget)).gathered;
  const owner = anchor.actor;
  const brief = writeBrief(gathered, { sessionKey: ref.id, owner }, budget, deps.codec);
  const { tokens, tokenBudget, omitted } = brief;
  const isOffered = anchor.type === HandoffRequested;
  const files = isOffered ? 0 : attachments.length;
  const said = saidEntry(args) && gathered.lastNumber - files;
  const session = (await deps.engine.query(ref))?.state;
  const about = session && noteAbout(session);
  const common = {
    sessionKey: ref.id,
    sequenceNumber: gathered.lastNumber,
    brief: { tokens, tokenBudget, omitted },
    attachments: attachments.length,
    warnings: handOffWarnings(gathered, said, kindOf(args.requestType, about)),
  };
  const isFound = !connection || reachesOthers(connection, deps.taking);
  if (!isOffered)
    return {
      ...common,
      status: 'pending',
      phase: 'parked',
      expiresAt: Number(facts.until),
      ...(isFound ? { instruction: LEFT } : { instruction: LEFT_TO_OWNER, onlyYours: true }),
    };
  const handoffId = formatHandoffId(String(facts.session_id), String(facts.handoff_id));
  const found = await findHandoff(deps, principal, handoffId);
  if (!found) throw new Error('an accepted handoff is not in the log');
  const view = await viewHandoff(texts, principal, found);
  const [left] = await deps.store.load(ref, seq - 2, 1);
  return {
    ...common,
    handoffId,
    status: view.status,
    phase: view.phase,
    to: view.to,
    expiresAt: left?.type === Parked ? Number(left.facts.until) : view.expiresAt,
    instruction: view.phase === 'offered' ? offered(view, about) : view.instruction,
  };
}

const kindOf = (requestType: string | undefined, about: string | undefined) =>
  about !== undefined ? 'note' : requestType === RequestType.ContextTransfer ? 'copy' : 'work';

const LEFT =
  'It waits for the next resume in this project. cancelHandoff with its sessionKey withdraws it, and so does your next entry.';

const LEFT_TO_OWNER =
  'On this server only you can go on with it: resume finds it. For somebody else, say handOff again with to.';

function getsOnAccept(requestType: string | undefined): string {
  if (requestType === RequestType.ContextTransfer)
    return 'has the context to read when it accepts, and the work stays with its owner';
  return `${requestType === RequestType.Collaboration ? 'can write to it, too,' : 'has it'} when it accepts`;
}

function offered({ to, autoCommit, requestType }: HandoffView, about: string | undefined): string {
  if (about !== undefined && autoCommit)
    return `${named(to)} sees it when it resumes ${named(about)}, and with accept it stands there. cancelHandoff withdraws it.`;
  return autoCommit
    ? `${named(to)} ${getsOnAccept(requestType)}; you need not wait. cancelHandoff withdraws it.`
    : `When ${named(to)} has accepted, commitHandoff makes it final. cancelHandoff withdraws it.`;
}

/** Of the last context entry before one of the log; 0: there is none. */
async function lastNumber(
  { store }: HandoffDependencies,
  ref: HandedOff['ref'],
  before: number,
): Promise<number> {
  for (let end = before - 1; end > 0; ) {
    const from = Math.max(0, end - HEADS_PAGE);
    const heads: readonly EntryHead[] = await store.load(ref, from, end - from);
    const last = heads.findLast(({ type }) => type === ContextAdded);
    if (last) return Number(last.facts.n);
    end = from;
  }
  return 0;
}
