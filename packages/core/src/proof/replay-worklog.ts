/** A working session's entries as the requests that made them. The doors made the payloads; core never looks inside. */

import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { RESERVED_MESSAGE_ID_PREFIX } from '../log/runtime-draft.js';
import type { HandoffOutcome, WorklogCommand } from '../worklog/command.js';
import { WorklogEntryType } from '../worklog/entry-type.js';
import type { Lifetimes, WorklogState } from '../worklog/state.js';
import { worklogDecider } from '../worklog/worklog-decider.js';
import type { Question, Replay } from './replay.js';

export const worklogReplay: Replay<WorklogState, WorklogCommand> = {
  decider: worklogDecider,
  // Every write moves the time; the row is not rewritten for that alone.
  dueMayLag: true,
  retell(state, entry): Question<WorklogState, WorklogCommand> | string {
    const command = commandOf(state, entry);
    if (typeof command === 'string') return command;
    const { messageId } = entry;
    const chosen = !messageId.startsWith(RESERVED_MESSAGE_ID_PREFIX);
    return { state, command, consulted: {}, ...(chosen && { messageId }) };
  },
};

function commandOf(
  state: WorklogState | undefined,
  { type, facts, payload }: Entry,
): WorklogCommand | string {
  switch (type) {
    case WorklogEntryType.Registered:
      return { kind: 'register', id: String(facts.id), lifetimes: lifetimesOf(facts.lifetimes), payload };
    case WorklogEntryType.ContextAdded:
      return {
        kind: 'addContext',
        entryId: String(facts.entry_id),
        contextType: String(facts.context_type),
        // Recorded only when they changed.
        lifetimes: facts.lifetimes === undefined && state ? state.lifetimes : lifetimesOf(facts.lifetimes),
        payload,
      };
    case WorklogEntryType.HandoffRequested:
      return {
        kind: 'requestHandoff',
        sessionId: String(facts.session_id),
        handoffId: String(facts.handoff_id),
        target: String(facts.target),
        requestType: String(facts.request_type),
        upTo: Number(facts.up_to),
        payload,
      };
    case WorklogEntryType.HandoffEnded:
      return ended(facts);
    default:
      return `type ${type} is not what was due, or unknown to this version`;
  }
}

const OUTCOMES: readonly HandoffOutcome[] = ['committed', 'declined', 'cancelled', 'expired'];

function ended({ session_id, outcome }: JsonObject): WorklogCommand | string {
  const known = OUTCOMES.find((word) => word === outcome);
  if (!known) return 'facts.outcome is unknown to this version';
  return { kind: 'handoffEnded', sessionId: String(session_id), outcome: known };
}

function lifetimesOf(value: Json | undefined): Lifetimes {
  const facts = isFields(value) ? value : {};
  return {
    dormantAfterMs: Number(facts.dormant),
    expireAfterMs: Number(facts.expire),
    archiveAfterMs: Number(facts.archive),
    purgeAfterMs: Number(facts.purge),
  };
}
