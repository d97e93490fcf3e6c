/**
 * Which session a person means: by its own id, by the id of a handoff as assistants see it, or by the key of a working session,
 * which is what people know.
 */
import { FAMILIES, named } from '@handover/core';
import { parseHandoffId } from '../services/handoffs/ids.js';
import { sessionRef } from '../services/stream-refs.js';
import { type CommandFailure, notFound } from './conventions/failure.js';
import { handoffsOfKey, type KeyHandoff } from './handoffs-of-key.js';
import { holds, type ViewSource } from './stream-source.js';

export type SessionMeant =
  | { readonly sessionId: string; readonly offerId?: string }
  | { readonly key: string; readonly handoffs: readonly KeyHandoff[] };

/** An id comes before a key: whoever writes an id has it from us. */
export async function sessionMeant({ place, tenant, view }: ViewSource, id: string): Promise<SessionMeant> {
  const whole = parseHandoffId(id);
  if (whole && (await holds(view, sessionRef(tenant, whole.sessionId)))) return whole;
  if (await holds(view, sessionRef(tenant, id))) return { sessionId: id };
  const handoffs = await handoffsOfKey(view, tenant, id);
  if (handoffs) return { key: id, handoffs };
  throw unlikeAny(id) ?? notFound(`there is no session ${named(id)} of tenant ${tenant} in ${place.name}`);
}

/** The shortest id that a session may have. */
const SESSION_ID = 22;

/** What begins like the id of an operation and is none was meant to be one. */
function unlikeAny(id: string): CommandFailure | undefined {
  const family = Object.values(FAMILIES).find(({ prefix }) => id.startsWith(prefix));
  if (!family || id.length >= SESSION_ID) return undefined;
  return notFound(`no operation ${id}: its id is ${family.prefix} and 32 hex digits`);
}
