/** A Commitment costs what its session's participants cost, not what was said before it: counted in looks at them and at the votes. */
import { describe, expect, it } from 'vitest';
import { SessionRev } from '../session/rev.js';
import { evolveDecision } from './decision/evolve.js';
import { DECISION_RULE_KEYS, readDecisionRules } from './decision/policy-rules.js';
import { type DecisionState, NO_PROPOSALS } from './decision/state.js';
import { tallyOf } from './decision/tally.js';
import type { ModeEntry } from './mode.js';
import { evolveProposal } from './proposal/evolve.js';
import { isConverged, NOTHING_PROPOSED } from './proposal/state.js';
import { treeEntries } from './tree.js';

const PARTICIPANTS = Array.from({ length: 50 }, (_, at) => `participant-${at}`);

/** The same list, and how often something of it was read. */
function watched(list: readonly string[]) {
  const reads = { count: 0 };
  const seen = new Proxy(list, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { list: seen, reads };
}

let seq = 0;
const entry = (type: string, actor: string, facts: ModeEntry['facts']): ModeEntry => ({
  type,
  actor,
  facts,
  at: 1,
  seq: ++seq,
});

function negotiation(proposals: number) {
  let state = NOTHING_PROPOSED;
  for (let at = 0; at < proposals; at++)
    state = evolveProposal(state, entry('Proposal', 'participant-0', { proposal_id: `p${at}` }));
  for (const name of PARTICIPANTS.slice(1, -1))
    state = evolveProposal(state, entry('Accept', name, { proposal_id: 'p7' }));
  return state;
}

describe('hardening:H1 a Commitment', () => {
  it('of Proposal Mode looks at each participant a few times, however many proposals there are', () => {
    const rules = { criterion: 'counterparty' } as never;
    const { list, reads } = watched(PARTICIPANTS);
    const session = { rules, participants: list, initiator: 'participant-0' };
    const state = negotiation(2_000);
    expect(isConverged(state, session)).toBe(false);
    expect(reads.count).toBeLessThan(5 * PARTICIPANTS.length);
    const agreed = evolveProposal(state, entry('Accept', 'participant-49', { proposal_id: 'p7' }));
    expect(isConverged(agreed, session)).toBe(true);
    const withdrawn = evolveProposal(agreed, entry('Withdraw', 'participant-0', { proposal_id: 'p7' }));
    expect(isConverged(withdrawn, session)).toBe(false);
  });

  it('of Proposal Mode without counterparties needs something on the table', () => {
    const session = { rules: { criterion: 'counterparty' } as never, participants: ['a'], initiator: 'a' };
    const proposed = evolveProposal(NOTHING_PROPOSED, entry('Proposal', 'a', { proposal_id: 'p' }));
    const withdrawn = evolveProposal(proposed, entry('Withdraw', 'a', { proposal_id: 'p' }));
    expect([NOTHING_PROPOSED, proposed, withdrawn].map((state) => isConverged(state, session))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('a withdrawal leaves what participants accept where it is', () => {
    const state = negotiation(10);
    const withdrawn = evolveProposal(state, entry('Withdraw', 'participant-0', { proposal_id: 'p3' }));
    expect(withdrawn.acceptances).toBe(state.acceptances);
  });

  it.each([1, 0.1, 3])('of Decision Mode goes through the votes once at most: weights of %d', (weight) => {
    let state: DecisionState = NO_PROPOSALS;
    for (let at = 0; at < 40; at++)
      state = evolveDecision(state, entry('Proposal', 'participant-0', { proposal_id: `p${at}` }));
    for (let at = 0; at < 40; at++)
      for (const name of PARTICIPANTS) {
        const vote = (at + name.length) % 3 === 0 ? 'REJECT' : at % 5 === 0 ? 'ABSTAIN' : 'APPROVE';
        state = evolveDecision(state, entry('Vote', name, { proposal_id: `p${at}`, vote }));
      }
    const weights = Object.fromEntries(PARTICIPANTS.map((name) => [name, weight]));
    const reading = readDecisionRules({ voting: { algorithm: 'weighted', weights } }, DECISION_RULE_KEYS);
    if (!('rules' in reading)) throw new Error(reading.flaws.join());
    // As the protocol says it: vote by vote, in the order of the ids.
    let [approve, reject] = [0, 0];
    for (const [, { votes }] of treeEntries(state.proposals))
      for (const [, vote] of treeEntries(votes)) {
        if (vote === 'APPROVE') approve += weight;
        if (vote === 'REJECT') reject += weight;
      }
    const { rules } = reading;
    const before = { rules, rev: SessionRev.NothingLeft };
    expect(tallyOf(state, before)).toMatchObject({ approve, reject, voters: 50 });
    const votes = [...treeEntries(state.proposals)].map(([, proposal]) => proposal);
    let looks = 0;
    for (const proposal of votes) {
      const own = proposal.votes;
      Object.defineProperty(proposal, 'votes', {
        get: () => {
          looks += 1;
          return own;
        },
      });
    }
    for (let times = 0; times < 3; times++) expect(tallyOf(state, before)).toMatchObject({ approve, reject });
    const exact = tallyOf(state, { rules, rev: SessionRev.ExactShares });
    expect([exact.approve, exact.reject]).toEqual([approve, reject].map((sum) => Number(sum.toFixed(1))));
    expect(looks).toBe(0);
  });
});
