/**
 * One hash for a session's whole state, the same in every version that folds the same log to the same meaning.
 *
 * It is SHA-256 of "handover-state/1:" and the JCS of the projection below. A field is never removed or renamed; a new
 * field appears only when it differs from what every earlier log means, so that old logs keep their hashes. `due` stands
 * for whatever a mode remembers of time, `mode_state` is what the mode shows of itself.
 */
import { sessionDecider } from '../bound-session/session-decider.js';
import type { Codec } from '../envelope/codec.js';
import { canonicalJson, type JsonObject } from '../log/json.js';
import { bindingFacts } from '../session/binding.js';
import type { SessionState } from '../session/state.js';

const DOMAIN = 'handover-state/1:';

export function stateHash(session: SessionState, codec: Codec): string {
  return codec.sha256(codec.utf8(DOMAIN + canonicalJson(stateProjection(session))));
}

export function stateProjection(session: SessionState): JsonObject {
  const { policy } = session;
  return {
    session_id: session.id,
    seq: session.seq,
    status: session.status,
    mode: session.mode.descriptor.mode,
    mode_version: session.modeVersion,
    configuration_version: session.configurationVersion,
    policy: {
      policy_id: policy.policyId,
      mode: policy.mode,
      schema_version: policy.schemaVersion,
      rules: policy.rules,
    },
    initiator: session.initiator,
    participants: session.participants,
    context_id: session.contextId,
    extension_keys: session.extensionKeys,
    started_at: session.startedAt,
    deadline: session.deadline,
    due: sessionDecider.due(session) ?? null,
    max_suspend_ms: session.maxSuspendMs,
    suspended_total_ms: session.suspendedTotalMs,
    ...(session.suspendedAt !== undefined && { suspended_at: session.suspendedAt }),
    ...(session.binding && { binding: bindingFacts(session.binding) }),
    ...(session.outcomePositive !== undefined && { outcome_positive: session.outcomePositive }),
    activity: session.activity.map(({ participant, lastMessageAt, messages }) => ({
      participant,
      last_message_at: lastMessageAt,
      messages,
    })),
    mode_state: session.run.view(),
  };
}
