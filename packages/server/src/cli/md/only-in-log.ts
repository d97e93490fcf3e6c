/** What belongs to a working session and does not stand in its brief: attachments that came with it, and files as they were sent. */
import {
  HandoffMessageType,
  handoffPayloads,
  offersOf,
  WorklogEntryType,
  type WorklogState,
} from '@handover/core';
import { nodeCodec } from '../../platform/node-codec.js';
import { DEFAULT_TENANT } from '../../services/dependencies.js';
import { readContentType } from '../../services/handoffs/content-type.js';
import { briefEntry } from '../../services/handoffs/context-entries.js';
import { storedPayload } from '../../services/handoffs/stored-payload.js';
import type { WaitingSource } from '../../services/handoffs/waiting/look.js';
import { worklogRef } from '../../services/handoffs/worklogs.js';
import { sessionRef } from '../../services/stream-refs.js';

const PAGE = 500;
/** More than a person looks for one by one. */
const MOST = 50;

/** Their names, the first ones first. */
export async function onlyInLog(look: WaitingSource, state: WorklogState): Promise<readonly string[]> {
  const handoffs = [...state.transfers, ...state.pending];
  const names: string[] = [];
  for (const { sessionId, handoffId } of handoffs)
    names.push(...(await attached(look, sessionId, handoffId)));
  names.push(...(await filesIn(look, state)));
  return [...new Set(names)].slice(0, MOST);
}

/** The first of the contexts is the package. */
async function attached(look: WaitingSource, id: string, handoffId: string): Promise<readonly string[]> {
  const ref = sessionRef(DEFAULT_TENANT, id);
  const session = (await look.engine.query(ref))?.state;
  const offer = session && offersOf(session).offers.find((one) => one.handoffId === handoffId);
  if (!offer || offer.contexts + offer.lateContexts <= 1) return [];
  const heads = await look.store.load(ref, 0, PAGE);
  const places = heads.filter(
    ({ type, facts }) => type === HandoffMessageType.Context && facts.handoff_id === handoffId,
  );
  const names: string[] = [];
  for (const [index, { seq }] of places.slice(1).entries()) {
    const [entry] = await look.store.read(ref, seq - 1, { entries: 1, bytes: 0 });
    const said = entry && nodeCodec.decode(handoffPayloads.HandoffContext, storedPayload(entry, nodeCodec));
    names.push(readContentType(said?.contentType ?? '').name ?? `attachment-${index + 1}`);
  }
  return names;
}

async function filesIn(look: WaitingSource, { key }: WorklogState): Promise<readonly string[]> {
  const ref = worklogRef(DEFAULT_TENANT, key);
  const names: string[] = [];
  for (let after = 0; names.length < MOST; ) {
    const heads = await look.store.load(ref, after, PAGE);
    for (const { type, facts, seq } of heads) {
      if (type !== WorklogEntryType.ContextAdded || facts.context_type !== 'file') continue;
      if (names.length === MOST) break;
      const [entry] = await look.store.read(ref, seq - 1, { entries: 1, bytes: 0 });
      if (!entry) continue;
      const { metadata, number } = briefEntry(entry, nodeCodec);
      names.push(String(metadata.path ?? metadata.name ?? `entry ${number}`));
    }
    const last = heads.at(-1);
    if (!last || heads.length < PAGE) break;
    after = last.seq;
  }
  return names;
}
