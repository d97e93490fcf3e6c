/** What core's own state machine, decisions included, says of a transcript: a second opinion on the projections. */
import { BUILT_IN_MODES, CoreMessageType, type Envelope, type JsonObject } from '@handover/core';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';

const CONTROLS: readonly string[] = [
  CoreMessageType.SessionSuspend,
  CoreMessageType.SessionResume,
  CoreMessageType.SessionCancel,
];
/** So that every transcript that some policy allows can be decided again. */
const RULES: JsonObject = { assignment: { allow_reassignment_on_reject: true } };

export function coreView(transcript: readonly Envelope[]): JsonObject {
  const [first, ...rest] = transcript;
  const mode = BUILT_IN_MODES.get(first?.mode ?? '');
  const start = first && nodeCodec.decode('SessionStart', first.payload);
  if (!first || !mode || !start) throw new Error('no session');
  const { sender: initiator, sessionId: id } = first;
  const policy = { policyId: 'p', schemaVersion: 1 };
  const session = { id, initiator, participants: start.participants, policy, suspendedTotalMs: 0, rev: 6 };
  const rules = mode.descriptor.messageTypes.includes('TaskRequest') ? RULES : {};
  let run = mode.begin(rules, mode.ruleKeys);
  for (const [index, envelope] of rest.entries()) {
    const { messageType: type, sender: actor, timestampUnixMs: at } = envelope;
    if (CONTROLS.includes(type)) continue;
    const facts =
      type === CoreMessageType.Commitment ? {} : decided(run.decide(envelope, session, nodeCodec));
    run = run.evolve({ type, facts, actor, at, seq: index + 2 }, session);
  }
  return run.view();
}

function decided(decision: { facts: JsonObject } | { rejection: { message: string } }): JsonObject {
  if ('rejection' in decision) throw new Error(decision.rejection.message);
  return decision.facts;
}
