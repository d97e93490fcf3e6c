/** Multi-round: participants contribute values, round after round, until all hold the same; the initiator commits it. */
import type { JsonObject } from '../../log/json.js';
import { type CommitmentRules, INITIATOR_ONLY } from '../../policy/rules.js';
import { RejectionCode, reject } from '../../rejection.js';
import { readFreeRules } from '../extension/policy-rules.js';
import type { Mode } from '../mode.js';
import { standardDescriptor } from '../standard-descriptor.js';
import { treeEntries } from '../tree.js';
import { MULTI_ROUND_MODE, MultiRoundMessageType } from './messages.js';
import { type MultiRoundPayloads, multiRoundPayloads } from './payloads.js';
import { decideMultiRound, evolveMultiRound } from './rules.js';
import { type MultiRoundState, NO_VALUES } from './state.js';

export const multiRoundMode: Mode<MultiRoundState, CommitmentRules, MultiRoundPayloads> = {
  descriptor: standardDescriptor({
    mode: MULTI_ROUND_MODE,
    title: 'Multi-round Mode',
    description: 'Participants contribute values, round after round, until all hold the same one.',
    determinismClass: 'semantic-deterministic',
    participantModel: 'peer',
    messageTypes: Object.values(MultiRoundMessageType),
  }),
  strict: true,
  minParticipants: 1,
  commitBy: 'initiator',
  reservedMessageIdPrefixes: [],
  // As in every extension mode: nothing is read of a policy.
  ruleKeys: {},
  readRules: readFreeRules,
  strictestRules: INITIATOR_ONLY,
  payloads: multiRoundPayloads,
  initial: NO_VALUES,
  decide: decideMultiRound,
  evolve: evolveMultiRound,
  ready: ({ converged }) =>
    converged
      ? undefined
      : reject(RejectionCode.INVALID_ENVELOPE, 'the participants do not hold the same value yet'),
  denials: () => [],
  view: viewMultiRound,
};

function viewMultiRound({ round, values, converged }: MultiRoundState): JsonObject {
  // Participants choose their names: `__proto__` must be a key like any other.
  const held: Record<string, string> = Object.create(null);
  for (const [participant, digest] of treeEntries(values)) held[participant] = digest;
  return { round, converged, values: held };
}
