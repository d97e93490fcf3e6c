/**
 * Decisions about a working session.
 *
 * W1. Only the owner and its collaborators write; only the owner hands over, leaves it for others, closes and reopens.
 * W2. Context entries are numbered 1..n without gap, whatever else is in the log between them.
 * W3. At most one full handoff is under way; answers and endings come from the bound session alone.
 * W4. To a stranger an existing key looks unknown, except when registering: then the key is taken. The target of a pending
 *     offer is no stranger: its inbox names the working session.
 * W5. What the owner leaves for others is one instruction, the newest. It ends when it is withdrawn, when what it asked for
 *     has happened, when the offer beside it is declined or cancelled, with the ownership, with the closing, at its time,
 *     and, if it is for anyone, with the owner's next entry that no hook wrote. A hook never replaces what the owner left.
 * W6. Who is named by a live instruction picks the work up for itself; nobody else learns that there is one.
 * W7. The work of a silent owner is taken by the policy that the request names, after the silence that it names. Both are
 *     recorded with the time since when, so that replay can judge them again.
 * W8. A completed working session takes nothing but its owner's reopening. Closing and reopening twice is once.
 */

import { accepted, type DecideContext, type Decision, rejected, type Stamp } from '../decider.js';
import type { Codec } from '../envelope/codec.js';
import type { JsonObject } from '../log/json.js';
import { RejectionCode, reject } from '../rejection.js';
import type { WorklogCommand } from './command.js';
import { decideClosing, decideReopening } from './decide-closing.js';
import { decideEnding, decideRequest, decideTaking } from './decide-handoff.js';
import { decideParking } from './decide-parking.js';
import { draft } from './draft.js';
import { WorklogEntryType } from './entry-type.js';
import { notFound, repeated, roomFlaw, sequenceFlaw, statusFlaw } from './flaws.js';
import { offeredRefusal, writeRefusal } from './refusals.js';
import { type Lifetimes, mayWrite, readableUpTo, type WorklogState } from './state.js';

type Of<K extends WorklogCommand['kind']> = Extract<WorklogCommand, { readonly kind: K }>;

export function decideWorklog(
  state: WorklogState | undefined,
  command: WorklogCommand,
  stamp: Stamp,
  { codec }: DecideContext,
): Decision {
  if (command.kind === 'register') return register(state, command, stamp, codec);
  if (!state) return rejected(notFound());
  if (command.kind === 'handoffEnded') return decideEnding(state, command, stamp);
  if (command.kind === 'requestHandoff' && (command.takeOver || command.standing !== undefined))
    return decideTaking(state, command, stamp, codec);
  if (readableUpTo(state, stamp.agent) === undefined)
    return rejected(offeredRefusal(state, stamp.agent) ?? notFound());
  // Before the right to write: a retry gets its first answer, even if its sender has given the work away since.
  if (stamp.seen) return repeated(command.payload, stamp, codec);
  if (!mayWrite(state, stamp.agent)) return rejected(writeRefusal(state, stamp.agent));
  return decideWrite(state, command, stamp);
}

type Write = Exclude<WorklogCommand, { readonly kind: 'register' | 'handoffEnded' }>;

/** By one that may write. */
function decideWrite(state: WorklogState, command: Write, stamp: Stamp): Decision {
  switch (command.kind) {
    case 'park':
      return decideParking(state, command, stamp);
    case 'close':
      return decideClosing(state, command, stamp);
    case 'reopen':
      return decideReopening(state, command, stamp);
    default: {
      const flaw = statusFlaw(state) ?? roomFlaw(state) ?? sequenceFlaw(state, command.expectedSequence);
      if (flaw) return rejected(flaw);
      return command.kind === 'addContext'
        ? addContext(state, command, stamp)
        : decideRequest(state, command, stamp);
    }
  }
}

/** The same key again is a conflict, unless it is the same request again (by its message id and bytes). */
function register(
  state: WorklogState | undefined,
  command: Of<'register'>,
  stamp: Stamp,
  codec: Codec,
): Decision {
  if (state) {
    if (stamp.seen?.seq === 1 && stamp.seen.actor === stamp.agent)
      return repeated(command.payload, stamp, codec);
    return rejected(reject(RejectionCode.CONFLICT, 'Session already exists'));
  }
  const { id, lifetimes, project, instance, client, clientSession } = command;
  const facts = {
    id,
    lifetimes: lifetimeFacts(lifetimes),
    ...(project && { project_id: project.id, project_name: project.name }),
    ...(instance !== undefined && { instance }),
    ...(client !== undefined && { client }),
    ...(clientSession !== undefined && { client_session: clientSession }),
  };
  return accepted(draft(WorklogEntryType.Registered, stamp, facts, command.payload));
}

function addContext(state: WorklogState, command: Of<'addContext'>, stamp: Stamp): Decision {
  const { entryId, contextType, lifetimes, instance, kinds = [], capture = false } = command;
  const facts = {
    n: state.lastNumber + 1,
    entry_id: entryId,
    context_type: contextType,
    ...(lifetimesDiffer(state.lifetimes, lifetimes) && { lifetimes: lifetimeFacts(lifetimes) }),
    ...(instance !== undefined && { instance }),
    ...(kinds.length > 0 && { kinds: [...new Set(kinds)].sort() }),
    ...(capture && { capture }),
  };
  return accepted(draft(WorklogEntryType.ContextAdded, stamp, facts, command.payload));
}

function lifetimeFacts(lifetimes: Lifetimes): JsonObject {
  const { dormantAfterMs, expireAfterMs, archiveAfterMs, purgeAfterMs } = lifetimes;
  return { dormant: dormantAfterMs, expire: expireAfterMs, archive: archiveAfterMs, purge: purgeAfterMs };
}

function lifetimesDiffer(one: Lifetimes, other: Lifetimes): boolean {
  return (
    one.dormantAfterMs !== other.dormantAfterMs ||
    one.expireAfterMs !== other.expireAfterMs ||
    one.archiveAfterMs !== other.archiveAfterMs ||
    one.purgeAfterMs !== other.purgeAfterMs
  );
}
