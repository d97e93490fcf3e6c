import type { StreamRef } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { HandoffDependencies } from './dependencies.js';
import { findHandoff } from './find-handoff.js';
import type { HandoffTextReader } from './handoff-texts.js';
import { viewHandoff } from './handoff-view.js';
import { formatHandoffId, OFFER_ID } from './ids.js';
import type { HandoffView } from './types.js';

/** The handoff that this session carries, if there is one. */
export async function takenHandoff(
  deps: HandoffDependencies,
  texts: HandoffTextReader,
  principal: Principal,
  session: StreamRef<'session'>,
): Promise<HandoffView | undefined> {
  const found = await findHandoff(deps, principal, formatHandoffId(session.id, OFFER_ID));
  return found && viewHandoff(texts, principal, found);
}
