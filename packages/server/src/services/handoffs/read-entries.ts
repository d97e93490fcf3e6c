/**
 * Entries for a reader that goes through them: of a working session, or of the package of an offer. What may not be read is
 * said with its reason: an empty list would look like an empty session.
 */
import { RejectionCode, rejectWith } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { readEntries } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';
import { findHandoff, handoffNotFound, isParty } from './find-handoff.js';
import { packageEntries } from './get-package.js';
import { phaseOf } from './handoff-phase.js';
import { notReadableYet } from './take/not-readable-yet.js';
import type { EntriesRead, HandoffService } from './types.js';
import type { Worklogs } from './worklogs.js';

type Args = Parameters<HandoffService['readEntries']>[1];

const NOT_YET = 'not yours before it is accepted; read it with handoffId';

export async function readEntriesOf(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  args: Args,
  connection?: Parameters<HandoffService['readEntries']>[2],
): Promise<Outcome<EntriesRead>> {
  const { from, last, limit, bytes } = args;
  const found = await ('sessionKey' in args.of
    ? ofSession(deps, worklogs, principal, args.of.sessionKey, connection)
    : ofHandoff(deps, principal, args.of.handoffId));
  if ('rejection' in found) return found;
  const { ref, upTo, ...rest } = found.value;
  if (!ref) return { value: { ...rest, entries: [], lastSequence: upTo } };
  const after = last === undefined ? Math.max(0, from - 1) : Math.max(0, upTo - last);
  const { entries } = await readEntries(deps, ref, { after, upTo }, limit, bytes);
  return { value: { ...rest, entries, lastSequence: upTo } };
}

type Readable = Omit<EntriesRead, 'entries' | 'lastSequence'> & {
  /** Absent: there are none. */
  readonly ref?: Parameters<typeof readEntries>[1];
  readonly upTo: number;
};

async function ofSession(
  deps: HandoffDependencies,
  worklogs: Worklogs,
  principal: Principal,
  sessionKey: string,
  connection: Parameters<HandoffService['readEntries']>[2],
): Promise<Outcome<Readable>> {
  const found = await worklogs.find(principal, sessionKey);
  if (found) return { value: { sessionKey, ref: found.ref, upTo: found.upTo } };
  const rejection = await worklogs.refusal(principal, sessionKey);
  if (rejection.code === RejectionCode.FORBIDDEN) return { rejection: { ...rejection, message: NOT_YET } };
  const known = connection && (await notReadableYet(deps, principal, connection, sessionKey));
  return { rejection: known ?? rejection };
}

async function ofHandoff(
  deps: HandoffDependencies,
  principal: Principal,
  handoffId: string,
): Promise<Outcome<Readable>> {
  const found = await findHandoff(deps, principal, handoffId);
  if (!found || !isParty(found, principal.agent)) return { rejection: handoffNotFound(handoffId) };
  const inside = await packageEntries(deps, principal, found);
  if (!inside) return { value: { handoffId, upTo: 0 } };
  const { ref, handed, withheld } = inside;
  if (withheld !== undefined) {
    const details = { handoffId, phase: phaseOf(found) };
    return { rejection: rejectWith(RejectionCode.CONFLICT, withheld, details) };
  }
  const { sessionKey, manifest } = handed;
  return { value: { handoffId, sessionKey, ref, upTo: manifest.lastSequence } };
}
