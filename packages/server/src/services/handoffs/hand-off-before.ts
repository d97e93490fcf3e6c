/**
 * Whether a handoff with this idempotency key was carried out before, and where. A retry need not say which working
 * session it was: the first one may have opened it.
 */
import {
  type EntryHead,
  ParkedBy,
  type Rejection,
  RejectionCode,
  RequestType,
  reject,
  StreamKind,
  type StreamRef,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import { sessionRef } from '../stream-refs.js';
import type { CurrentSessions } from './current-session.js';
import type { HandoffDependencies } from './dependencies.js';
import { anchorId, anchorPayload, sessionIdOf } from './hand-off-steps.js';
import { keyName } from './session-key.js';
import { worklogRef } from './worklogs.js';

export interface HandedOff {
  readonly ref: StreamRef<'worklog'>;
  /** The last entry of the working session that the handoff made. */
  readonly anchor: EntryHead;
}

export interface Retried {
  readonly id: string;
  readonly requestDigest: string;
  readonly sessionKey?: string;
}

/** Nothing is stored when it is asked for. */
const NOT_YET = reject(RejectionCode.CONFLICT, 'it was not carried out before');
/** Of the working sessions that the caller registered, the newest. */
const SEARCHED = 100;

export async function handedOffBefore(
  deps: HandoffDependencies,
  current: CurrentSessions,
  principal: Principal,
  retried: Retried,
  connection: Connection | undefined,
): Promise<HandedOff | Rejection | undefined> {
  const seen = new Set<string>();
  for await (const key of keysOf(deps, current, principal, retried, connection)) {
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    const found = await lookIn(deps, principal, worklogRef(principal.tenant, key), retried);
    if (found) return found;
  }
  return undefined;
}

async function* keysOf(
  { engine }: HandoffDependencies,
  current: CurrentSessions,
  principal: Principal,
  { id, sessionKey }: Retried,
  connection: Connection | undefined,
): AsyncGenerator<string | undefined> {
  const { tenant, agent } = principal;
  yield sessionKey;
  yield (await engine.query(sessionRef(tenant, id)))?.state?.binding?.worklog;
  yield (await current.find(principal, connection))?.ref.id;
  const rows = await engine.list({
    tenant,
    kind: StreamKind.Worklog,
    agent,
    role: 'source',
    newestFirst: { idPrefix: `${keyName(connection?.project?.name)}-` },
    limit: SEARCHED,
  });
  const isMade = ({ summary }: { readonly summary: string }) =>
    (JSON.parse(summary) as { readonly id?: unknown }).id === sessionIdOf(id);
  yield rows.find(({ row }) => isMade(row))?.ref.id;
}

/** A step that changes nothing: under its id only what was stored before is answered. */
async function lookIn(
  { engine, store, codec }: HandoffDependencies,
  { agent }: Principal,
  ref: StreamRef<'worklog'>,
  { id, requestDigest }: Retried,
): Promise<HandedOff | Rejection | undefined> {
  const command = {
    kind: 'park',
    takers: [],
    requestType: RequestType.FullHandoff,
    until: 0,
    by: ParkedBy.Owner,
    payload: anchorPayload(requestDigest, { codec }),
  } as const;
  const steps = [{ stream: ref, command, messageId: anchorId(id) }] as const;
  const answer = await engine.submit({ agent, steps, bytes: 512, refuseNew: NOT_YET });
  if (!answer.ok) {
    const { rejection } = answer;
    return rejection.code === RejectionCode.CONFLICT && rejection !== NOT_YET ? rejection : undefined;
  }
  const [{ decision }] = answer.results;
  if (decision.kind !== 'duplicate') return undefined;
  const [anchor] = await store.load(ref, decision.seq - 1, 1);
  return anchor && { ref, anchor };
}
