/** Quorum Mode: the initiator asks for approval, participants cast a ballot each, a Commitment binds the result. */
import type { JsonObject } from '../../log/json.js';
import type { Mode } from '../mode.js';
import { standardDescriptor } from '../standard-descriptor.js';
import { evolveQuorum } from './evolve.js';
import { QUORUM_MODE, QuorumMessageType } from './messages.js';
import { type QuorumPayloads, quorumPayloads } from './payloads.js';
import {
  QUORUM_RULE_KEYS,
  QUORUM_RULES_SCHEMA,
  type QuorumRules,
  readQuorumRules,
  STRICTEST_QUORUM_RULES,
} from './policy-rules.js';
import { quorumReady } from './ready.js';
import { decideQuorum } from './rules.js';
import { NO_REQUEST, type QuorumState } from './state.js';

export const quorumMode: Mode<QuorumState, QuorumRules, QuorumPayloads> = {
  descriptor: standardDescriptor({
    mode: QUORUM_MODE,
    title: 'Quorum Mode',
    description: 'An action needs a number of approvals; each participant casts one ballot.',
    determinismClass: 'semantic-deterministic',
    participantModel: 'quorum',
    messageTypes: Object.values(QuorumMessageType),
  }),
  strict: true,
  minParticipants: 1,
  commitBy: 'policy',
  reservedMessageIdPrefixes: [],
  ruleKeys: QUORUM_RULE_KEYS,
  rulesSchema: QUORUM_RULES_SCHEMA,
  readRules: readQuorumRules,
  strictestRules: STRICTEST_QUORUM_RULES,
  payloads: quorumPayloads,
  initial: NO_REQUEST,
  decide: decideQuorum,
  evolve: evolveQuorum,
  ready: quorumReady,
  denials: () => [],
  view: viewQuorum,
};

function viewQuorum({ request, ballots }: QuorumState): JsonObject {
  // Participants choose their names: `__proto__` must be a key like any other.
  const cast: Record<string, string> = Object.create(null);
  for (const { by, choice } of ballots) cast[by] = choice;
  return {
    ...(request && {
      request: { request_id: request.requestId, required_approvals: request.requiredApprovals },
    }),
    ballots: cast,
  };
}
