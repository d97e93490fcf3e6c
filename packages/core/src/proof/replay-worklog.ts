/** A working session's entries as the requests that made them. The doors made the payloads; core never looks inside. */

import { isFields } from '../fields.js';
import type { Entry } from '../log/entry.js';
import type { Json, JsonObject } from '../log/json.js';
import { RESERVED_MESSAGE_ID_PREFIX } from '../log/runtime-draft.js';
import type { HandoffOutcome, WorklogCommand } from '../worklog/command.js';
import { commitRuleFrom } from '../worklog/commit-rule.js';
import { WorklogEntryType } from '../worklog/entry-type.js';
import { ParkedBy } from '../worklog/parked.js';
import { CloseOutcome, type Lifetimes, type WorklogState } from '../worklog/state.js';
import { policyFromText } from '../worklog/take-over.js';
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
      return registered(facts, payload);
    case WorklogEntryType.ContextAdded:
      return {
        kind: 'addContext',
        entryId: String(facts.entry_id),
        contextType: String(facts.context_type),
        // Recorded only when they changed.
        lifetimes: facts.lifetimes === undefined && state ? state.lifetimes : lifetimesOf(facts.lifetimes),
        payload,
        ...(facts.instance !== undefined && { instance: String(facts.instance) }),
        ...(facts.capture === true && { capture: true }),
        kinds: texts(facts.kinds),
      };
    case WorklogEntryType.HandoffRequested:
      return requested(facts, payload);
    case WorklogEntryType.Parked:
      return parked(facts, payload);
    case WorklogEntryType.Closed: {
      const outcome = Object.values(CloseOutcome).find((word) => word === facts.outcome);
      return outcome ? { kind: 'close', outcome, payload } : 'facts.outcome is unknown to this version';
    }
    case WorklogEntryType.Reopened:
      return { kind: 'reopen', payload };
    case WorklogEntryType.HandoffEnded:
      return ended(facts);
    default:
      return `type ${type} is not what was due, or unknown to this version`;
  }
}

function registered(facts: JsonObject, payload: Uint8Array): WorklogCommand {
  const { id, lifetimes, project_id, project_name, instance, client, client_session } = facts;
  return {
    kind: 'register',
    id: String(id),
    lifetimes: lifetimesOf(lifetimes),
    payload,
    ...(project_id !== undefined && { project: { id: String(project_id), name: String(project_name) } }),
    ...(instance !== undefined && { instance: String(instance) }),
    ...(client !== undefined && { client: String(client) }),
    ...(client_session !== undefined && { clientSession: String(client_session) }),
  };
}

function requested(facts: JsonObject, payload: Uint8Array): WorklogCommand | string {
  const rule = commitRuleFrom(facts);
  const policy = policyFromText(String(facts.policy));
  if (facts.authority !== undefined && !policy) return 'facts.policy is unknown to this version';
  return {
    kind: 'requestHandoff',
    sessionId: String(facts.session_id),
    handoffId: String(facts.handoff_id),
    target: String(facts.target),
    requestType: String(facts.request_type),
    upTo: Number(facts.up_to),
    payload,
    ...(rule && { rule }),
    ...(facts.standing !== undefined && { standing: Number(facts.standing) }),
    // The recorded time is that of the last sign, or of an entry before this one, which is found again.
    ...(facts.authority !== undefined &&
      policy && { takeOver: { from: String(facts.from), lastSignAt: Number(facts.silent_since), policy } }),
  };
}

function parked(facts: JsonObject, payload: Uint8Array): WorklogCommand | string {
  const { request_type, until, event } = facts;
  const [taker, ...more] = texts(facts.takers);
  const by = Object.values(ParkedBy).find((word) => word === facts.by);
  if (!by || more.length > 0) return 'facts.by or facts.takers is unknown to this version';
  return {
    kind: 'park',
    takers: taker === undefined ? [] : [taker],
    requestType: String(request_type),
    until: Number(until),
    by,
    ...(event !== undefined && { event: String(event) }),
    payload,
  };
}

const texts = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

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
