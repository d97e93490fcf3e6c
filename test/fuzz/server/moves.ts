/** Envelopes of handoffs as agents send them: who says what, in a session that exists or is just being opened. */
import { HANDOFF_MODE } from '@handover/core';
import type { Json } from '../values/json.js';
import type { Random } from '../values/random.js';
import { uuid, word } from '../values/texts.js';
import { place } from './known.js';

const TARGETS = ['bob', 'carol'];
const OFFERS = ['h1', 'h2', 'h3'];

export interface Move {
  readonly as: string;
  readonly envelope: { [key: string]: Json };
}

const start = (random: Random): Json => ({
  intent: 'hand over',
  participants: ['alice', ...TARGETS],
  mode_version: '1.0.0',
  configuration_version: 'config.default',
  policy_version: random.oneIn(10) ? 'policy.fuzz' : '',
  ttl_ms: random.pick([1_000, 5_000, 60_000, 3_600_000]),
  max_suspend_ms: random.pick([0, 500, 60_000]),
});

const commitment = (random: Random): Json => {
  const positive = random.oneIn(2);
  return {
    commitment_id: word(random),
    action: positive ? 'handoff.accepted' : 'handoff.declined',
    authority_scope: 'service',
    reason: 'r',
    mode_version: '1.0.0',
    policy_version: '',
    configuration_version: 'config.default',
    outcome_positive: positive,
  };
};

/** Mostly of the last sessions: a handoff takes four messages, and they have to meet. */
const recent = (random: Random): string =>
  random.oneIn(4) ? place(random, 'session') : `‹session:-${random.between(1, 3)}›`;

/** The owner is alice; the targets answer. */
export function move(random: Random): Move {
  const handoff_id = random.oneIn(6) ? random.pick(OFFERS) : 'h1';
  const target = random.oneIn(6) ? random.pick(TARGETS) : 'bob';
  const [as, type, payload] = random.pick<() => [string, string, Json]>([
    () => ['alice', 'SessionStart', start(random)],
    () => ['alice', 'HandoffOffer', { handoff_id, target_participant: target, scope: '', reason: '' }],
    () => ['alice', 'HandoffOffer', { handoff_id, target_participant: target, scope: 's', reason: 'r' }],
    () => ['alice', 'HandoffContext', { handoff_id, content_type: 'text/plain', context: 'AQI=' }],
    () => [target, 'HandoffAccept', { handoff_id, accepted_by: '', reason: '' }],
    () => [target, 'HandoffAccept', { handoff_id, accepted_by: target, reason: '' }],
    () => [target, 'HandoffDecline', { handoff_id, declined_by: '', reason: 'no' }],
    () => ['alice', 'Commitment', commitment(random)],
    () => ['alice', 'Commitment', commitment(random)],
  ])();
  return {
    as,
    envelope: {
      macp_version: '1.0',
      mode: HANDOFF_MODE,
      message_type: type,
      message_id: random.oneIn(30) ? 'm1' : uuid(random),
      session_id: type === 'SessionStart' && !random.oneIn(10) ? uuid(random) : recent(random),
      sender: as,
      payload,
    },
  };
}
