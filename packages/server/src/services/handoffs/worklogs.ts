/** Working sessions as this service sees them: found by key, shown to those who may read, never to others. */
import {
  type JsonObject,
  offeredRefusal,
  type Rejection,
  RejectionCode,
  readableUpTo,
  rejectWith,
  StreamKind,
  type StreamRef,
  streamKey,
  type WorklogState,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffDependencies } from './dependencies.js';
import { parsePayload } from './payloads.js';
import { storedPayload } from './stored-payload.js';
import type { WorklogView } from './types.js';

export interface FoundWorklog {
  readonly ref: StreamRef<'worklog'>;
  readonly state: WorklogState;
  /** The last number that the caller may read. */
  readonly upTo: number;
}

/** Metadata never changes, so it is kept after the first read, up to this much. */
const KEPT_METADATA_BYTES = 8 * 1024 * 1024;

export const worklogRef = (tenant: string, key: string): StreamRef<'worklog'> => ({
  tenant,
  kind: StreamKind.Worklog,
  id: key,
});

/** The same answer for a session that does not exist and for one that the caller may not see. */
export function sessionNotFound(sessionKey: string): Rejection {
  return rejectWith(RejectionCode.SESSION_NOT_FOUND, 'Session not found', { sessionKey });
}

export class Worklogs {
  readonly #deps: HandoffDependencies;
  readonly #metadata = new Map<string, { readonly value: JsonObject; readonly bytes: number }>();
  #keptBytes = 0;

  constructor(deps: HandoffDependencies) {
    this.#deps = deps;
  }

  async find(principal: Principal, sessionKey: string): Promise<FoundWorklog | undefined> {
    const ref = worklogRef(principal.tenant, sessionKey);
    const state = (await this.#deps.engine.query(ref))?.state;
    const upTo = state && readableUpTo(state, principal.agent);
    return state && upTo !== undefined ? { ref, state, upTo } : undefined;
  }

  /** Why it was not found: the target of a pending offer may know that it is there. */
  async refusal({ tenant, agent }: Principal, sessionKey: string): Promise<Rejection> {
    const state = (await this.#deps.engine.query(worklogRef(tenant, sessionKey)))?.state;
    const offered = state && offeredRefusal(state, agent);
    return offered
      ? { ...offered, details: { sessionKey, ...offered.details } }
      : sessionNotFound(sessionKey);
  }

  async view(principal: Principal, ref: StreamRef, state: WorklogState): Promise<WorklogView> {
    return {
      id: state.id,
      sessionKey: state.key,
      agentFrom: state.agentFrom,
      owner: state.owner,
      collaborators: state.collaborators,
      status: state.status,
      dormant: state.dormant,
      createdAt: state.createdAt,
      lastActivityAt: state.lastActivityAt,
      lastSequence: readableUpTo(state, principal.agent) ?? 0,
      metadata: await this.#metadataOf(ref),
      ...(state.outcome && { outcome: state.outcome }),
    };
  }

  async #metadataOf(ref: StreamRef): Promise<JsonObject> {
    const key = streamKey(ref);
    const kept = this.#metadata.get(key);
    if (kept) return kept.value;
    const [first] = await this.#deps.store.read(ref, 0, { entries: 1, bytes: 0 });
    const value = first
      ? parsePayload(storedPayload(first, this.#deps.codec), this.#deps.codec).metadata
      : {};
    this.#keep(key, value, (first?.payload.length ?? 0) + 256);
    return value;
  }

  #keep(key: string, value: JsonObject, bytes: number): void {
    if (this.#metadata.has(key)) return;
    this.#metadata.set(key, { value, bytes });
    this.#keptBytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#metadata) {
      if (this.#keptBytes <= KEPT_METADATA_BYTES) break;
      this.#metadata.delete(oldest);
      this.#keptBytes -= freed;
    }
  }
}
