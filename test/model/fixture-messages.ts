import type { Fixture, JsonObject, MessageStep, Step } from '../conformance/fixture-types.js';
import { DEFAULT_RULES, type Message, type PolicyRules } from './handoff-model.js';

const text = (payload: JsonObject, key: string): string => String(payload[key] ?? '');

/** Whether a fixture speaks only of what the model knows: no time, no faults, no envelopes out of the ordinary. */
export function isExpressible(fixture: Fixture): boolean {
  const plain = fixture.server === undefined && fixture.setup === undefined && fixture.start === undefined;
  return plain && fixture.mode === 'macp.mode.handoff.v1' && fixture.messages.every(isPlainStep);
}

function isPlainStep(step: Step): boolean {
  if ('get' in step) return true;
  if ('control' in step) return step.session_id === undefined && step.credential === undefined;
  if (!('message_type' in step)) return false;
  const special = step.envelope ?? step.credential ?? step.door;
  const ambient = ['SessionStart', 'Signal', 'Progress'].includes(step.message_type);
  return special === undefined && !ambient && step.expect !== 'duplicate' && !hasFormFault(step);
}

/** The model knows neither the length of ids nor the form of a Commitment beyond action, outcome and versions. */
function hasFormFault({ message_type, payload }: MessageStep): boolean {
  if (message_type !== 'Commitment') return /[^ -~]|.{257}/.test(text(payload, 'handoff_id'));
  const blank = ['commitment_id', 'authority_scope', 'reason'].some(
    (key) => text(payload, key).trim() === '',
  );
  return blank || payload.supersedes !== undefined;
}

export function rulesOf(fixture: Fixture): PolicyRules {
  const rules = fixture.policy?.rules;
  const all: JsonObject = typeof rules === 'object' ? rules : {};
  const commitment = all.commitment as Partial<Record<string, unknown>> | undefined;
  const own = all['x-handover.rules'] as Partial<Record<string, unknown>> | undefined;
  return {
    ...DEFAULT_RULES,
    authority: (commitment?.authority ?? DEFAULT_RULES.authority) as PolicyRules['authority'],
    designated: (commitment?.designated_roles ?? []) as readonly string[],
    allowNoTarget: own?.allow_no_target === true,
  };
}

export function toMessage(fixture: Fixture, { message_type, sender, payload }: MessageStep): Message {
  const handoffId = text(payload, 'handoff_id');
  switch (message_type) {
    case 'HandoffOffer':
      return { type: 'offer', sender, handoffId, target: text(payload, 'target_participant') };
    case 'HandoffContext':
      return { type: 'context', sender, handoffId };
    case 'HandoffAccept': {
      const implicit = payload.implicit === true;
      return { type: 'accept', sender, handoffId, acceptedBy: text(payload, 'accepted_by'), implicit };
    }
    case 'HandoffDecline':
      return { type: 'decline', sender, handoffId, declinedBy: text(payload, 'declined_by') };
    case 'Commitment':
      return toCommit(fixture, sender, payload);
    default:
      return { type: 'unknown', sender };
  }
}

function toCommit(fixture: Fixture, sender: string, payload: JsonObject): Message {
  const bound = fixture.policy_version === '' ? 'policy.default' : fixture.policy_version;
  const versionsMatch =
    payload.mode_version === fixture.mode_version &&
    payload.configuration_version === fixture.configuration_version &&
    ['', bound].includes(text(payload, 'policy_version'));
  const positive = payload.outcome_positive === true;
  return { type: 'commit', sender, positive, action: text(payload, 'action'), versionsMatch };
}
