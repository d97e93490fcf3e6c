/** Proposal Mode, rule by rule; the names cite docs/spec/macp-2026.md. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import type { JsonObject } from '../../log/json.js';
import { ModeSession } from '../mode-session.test.helper.js';

const [NO, BAD] = ['FORBIDDEN', 'INVALID_ENVELOPE'];
const session = (rules: JsonObject = {}, participants = ['owner', 'a', 'b']) =>
  new ModeSession({ mode: 'macp.mode.proposal.v1', participants, rules });
const propose = (on: ModeSession, proposalId = 'p', sender = 'a') =>
  on.say(sender, 'Proposal', { proposalId });
const counter = (on: ModeSession, proposalId: string, supersedesProposalId: string, sender = 'b') =>
  on.say(sender, 'CounterProposal', { proposalId, supersedesProposalId });
const accept = (on: ModeSession, sender: string, proposalId = 'p') =>
  on.say(sender, 'Accept', { proposalId });
const reject = (on: ModeSession, sender: string, terminal: boolean, proposalId = 'p') =>
  on.say(sender, 'Reject', { proposalId, terminal });
const withdraw = (on: ModeSession, sender: string, proposalId = 'p') =>
  on.say(sender, 'Withdraw', { proposalId });

function proposed(rules: JsonObject = {}, participants?: string[]) {
  const on = session(rules, participants);
  expect(propose(on)).toBe('ok');
  return on;
}

describe('Proposal Mode, who may speak', () => {
  it('macp-2026:8.2 needs a participant', () => {
    expect(session({}, []).started).toBe(BAD);
    expect(session({}, ['a']).started).toBe('ok');
  });

  it('macp-2026:8.2 hears listed participants only', () => {
    const on = proposed({}, ['a', 'b']);
    for (const sender of ['owner', 'x'])
      for (const said of [
        propose(on, 'q', sender),
        counter(on, 'q', 'p', sender),
        accept(on, sender),
        reject(on, sender, true),
        withdraw(on, sender),
      ])
        expect(said).toBe(NO);
  });

  it('macp-2026:8.2 lets only its author withdraw a proposal, a counter-proposal its own sender', () => {
    const on = proposed();
    counter(on, 'q', 'p');
    expect(withdraw(on, 'b')).toBe(NO);
    expect(withdraw(on, 'a', 'q')).toBe(NO);
    expect(withdraw(on, 'b', 'q')).toBe('ok');
    expect(withdraw(on, 'a')).toBe('ok');
  });
});

describe('Proposal Mode, message by message', () => {
  it('macp-2026:8.3 refuses a Proposal without an id or with a used one; a title may be empty', () => {
    const on = proposed();
    expect(propose(on, ' ')).toBe(BAD);
    expect(propose(on, 'p', 'b')).toBe(BAD);
    expect(on.say('a', 'Teleport')).toBe(BAD);
    expect(on.sayBytes('a', 'Proposal', Uint8Array.of(0xff))).toBe(BAD);
  });

  it('macp-2026:8.3 takes a counter-proposal to a known one, also to a withdrawn one', () => {
    const on = proposed();
    expect(counter(on, '', 'p')).toBe(BAD);
    expect(counter(on, 'p', 'p')).toBe(BAD);
    expect(counter(on, 'q', '')).toBe(BAD);
    expect(counter(on, 'q', 'r')).toBe(BAD);
    expect(counter(on, 'q', 'q')).toBe(BAD);
    withdraw(on, 'a');
    expect(counter(on, 'q', 'p')).toBe('ok');
  });

  it('macp-2026:8.3 a counter-proposal does not retire the other', () => {
    const on = proposed();
    counter(on, 'q', 'p');
    for (const sender of ['owner', 'a', 'b']) expect(accept(on, sender)).toBe('ok');
    expect(on.commit(true)).toBe('ok');
  });

  it('macp-2026:8.3 refuses counter-proposals beyond max_rounds; 0 is no limit', () => {
    const on = proposed({ counter_proposal: { max_rounds: 1 } });
    expect(counter(on, 'q', 'p')).toBe('ok');
    expect(counter(on, 'r', 'q')).toBe(BAD);
    expect(propose(on, 'r')).toBe('ok');
    const free = proposed({ counter_proposal: { max_rounds: 0 } });
    for (const id of ['q', 'r', 's']) expect(counter(free, id, 'p')).toBe('ok');
  });

  it('macp-2026:8.3 accepts and rejects only what is on the table', () => {
    const on = proposed();
    expect(accept(on, 'b', 'q')).toBe(BAD);
    expect(reject(on, 'b', false, 'q')).toBe(BAD);
    expect(withdraw(on, 'a', 'q')).toBe(BAD);
    expect(withdraw(on, 'a')).toBe('ok');
    expect(accept(on, 'b')).toBe(BAD);
    expect(reject(on, 'b', false)).toBe(BAD);
    expect(withdraw(on, 'a')).toBe(BAD);
  });

  it('macp-2026:8.3 the latest acceptance replaces the earlier', () => {
    const on = proposed();
    propose(on, 'q');
    for (const sender of ['owner', 'a', 'b']) accept(on, sender);
    accept(on, 'b', 'q');
    expect(on.commit(true)).toBe(BAD);
    accept(on, 'b');
    expect(on.commit(true)).toBe('ok');
  });

  it('macp-2026:8.3 a withdrawal drops what was said of that proposal and of no other', () => {
    const on = proposed();
    propose(on, 'q', 'b');
    accept(on, 'owner');
    accept(on, 'a', 'q');
    reject(on, 'b', true);
    expect(withdraw(on, 'a')).toBe('ok');
    expect({ ...Object(on.view.acceptances) }).toEqual({ a: 'q' });
    expect(on.commit(false)).toBe(BAD);
    reject(on, 'owner', true, 'q');
    expect(on.commit(false)).toBe('ok');
    expect(on.replayed()).toEqual(on.state);
  });
});

describe('Proposal Mode, when it may be committed', () => {
  it('macp-2026:8.4 all_parties: every participant accepts the same live proposal', () => {
    const on = proposed();
    accept(on, 'owner');
    accept(on, 'a');
    expect(on.commit(true)).toBe(BAD);
    accept(on, 'b');
    expect(on.commit(false)).toBe('ok');
  });

  it('macp-2026:8.4 counterparty: everybody but the author', () => {
    const on = proposed({ acceptance: { criterion: 'counterparty' } });
    accept(on, 'a');
    accept(on, 'owner');
    expect(on.commit(true)).toBe(BAD);
    accept(on, 'b');
    expect(on.commit(true)).toBe('ok');
  });

  it('macp-2026:8.4 initiator: its acceptance alone', () => {
    const on = proposed({ acceptance: { criterion: 'initiator' } });
    accept(on, 'a');
    accept(on, 'b');
    expect(on.commit(true)).toBe(BAD);
    accept(on, 'owner');
    expect(on.commit(true)).toBe('ok');
  });

  it('macp-2026:8.4 a terminal rejection ends it, by its flag or by the policy', () => {
    const on = proposed();
    reject(on, 'b', false);
    expect(on.commit(false)).toBe(BAD);
    reject(on, 'b', true);
    expect(on.commit(false)).toBe('ok');
    const strict = proposed({ rejection: { terminal_on_any_reject: true } });
    reject(strict, 'b', false);
    expect(strict.commit(true)).toBe('ok');
  });

  it(`${verifies('mode:proposal:8.4:criterion-not-met')}macp-2026:8.4 denies a positive outcome after more counter-proposals than the policy allows`, async () => {
    const { proposalDenials } = await import('./ready.js');
    const { NOTHING_PROPOSED } = await import('./state.js');
    const { STRICTEST_PROPOSAL_RULES } = await import('./policy-rules.js');
    const denied = (counterProposals: number, outcomePositive: boolean, maxRounds: number) =>
      proposalDenials(
        { ...NOTHING_PROPOSED, counterProposals },
        { outcomePositive },
        { rules: { ...STRICTEST_PROPOSAL_RULES, maxRounds } },
      ).map(({ code }) => code);
    expect(denied(2, true, 1)).toEqual(['criterion_not_met']);
    expect(denied(2, false, 1)).toEqual([]);
    expect(denied(1, true, 1)).toEqual([]);
    expect(denied(2, true, 0)).toEqual([]);
  });
});
