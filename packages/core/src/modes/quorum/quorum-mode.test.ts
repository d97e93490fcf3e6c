/** Quorum Mode, rule by rule; the names cite docs/spec/macp-2026.md. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../log/json.js';
import { ModeSession } from '../mode-session.test.helper.js';

const [NO, BAD] = ['FORBIDDEN', 'INVALID_ENVELOPE'];
const session = (rules: JsonObject = {}, participants = ['a', 'b', 'c']) =>
  new ModeSession({ mode: 'macp.mode.quorum.v1', participants, rules });
const request = (on: ModeSession, requiredApprovals = 2, fields: object = {}) =>
  on.say('owner', 'ApprovalRequest', { requestId: 'r', requiredApprovals, ...fields });
const cast = (on: ModeSession, sender: string, type: string, requestId = 'r') =>
  on.say(sender, type, { requestId });

function requested(rules: JsonObject = {}, requiredApprovals = 2, ballots: Record<string, string> = {}) {
  const on = session(rules);
  expect(request(on, requiredApprovals)).toBe('ok');
  for (const [sender, type] of Object.entries(ballots)) expect(cast(on, sender, type)).toBe('ok');
  return on;
}

const needs = (type: string, value: number) => ({ threshold: { type, value } });

describe('Quorum Mode, who may speak', () => {
  it('macp-2026:11.2 needs a participant; the initiator need not be one', () => {
    expect(session({}, []).started).toBe(BAD);
    expect(session({}, ['a']).started).toBe('ok');
  });

  it('macp-2026:11.2 lets the initiator ask and listed participants cast ballots', () => {
    const on = session();
    expect(on.say('a', 'ApprovalRequest', { requestId: 'r', requiredApprovals: 1 })).toBe(NO);
    request(on);
    for (const type of ['Approve', 'Reject', 'Abstain'])
      for (const sender of ['owner', 'x']) expect(cast(on, sender, type)).toBe(NO);
    expect(cast(on, 'a', 'Teleport')).toBe(BAD);
  });
});

describe('Quorum Mode, message by message', () => {
  it('macp-2026:11.3 takes one request, with an id, for as many approvals as there are participants at most', () => {
    const on = session();
    expect(request(on, 2, { requestId: '' })).toBe(BAD);
    expect(request(on, 0)).toBe(BAD);
    expect(request(on, 4)).toBe(BAD);
    expect(on.sayBytes('owner', 'ApprovalRequest', Uint8Array.of(0xff))).toBe(BAD);
    expect(request(on, 3)).toBe('ok');
    expect(request(on, 3, { requestId: 's' })).toBe(BAD);
  });

  it('macp-2026:11.3 refuses a request whose threshold cannot be evaluated', () => {
    expect(request(session({ threshold: { type: 'weighted', value: 2 } }))).toBe(BAD);
  });

  it('macp-2026:11.3 takes one ballot per sender over all three kinds, on the request', () => {
    for (const first of ['Approve', 'Reject', 'Abstain'])
      for (const second of ['Approve', 'Reject', 'Abstain'])
        expect(cast(requested({}, 2, { a: first }), 'a', second)).toBe(BAD);
    for (const type of ['Approve', 'Reject', 'Abstain']) {
      expect(cast(session(), 'a', type)).toBe(BAD);
      expect(cast(requested(), 'a', type, 's')).toBe(BAD);
    }
  });
});

describe('Quorum Mode, when it may be committed', () => {
  it('macp-2026:11.3 not before the request, nor while the threshold is open', () => {
    expect(session().commit(true)).toBe(BAD);
    for (const outcome of [true, false]) {
      expect(requested().commit(outcome)).toBe(BAD);
      const open = requested({}, 2, { a: 'Approve', b: 'Reject' });
      expect(open.commit(outcome)).toBe(BAD);
      expect(open.why).toBe('approvals: 1 of 2; open ballots: 1');
    }
  });

  it('macp-2026:11.3 once it is reached, with either outcome', () => {
    const reached = { a: 'Approve', b: 'Approve' };
    expect(requested({}, 2, reached).commit(true)).toBe('ok');
    expect(requested({}, 2, reached).commit(false)).toBe('ok');
  });

  it('macp-2026:0 a positive outcome needs the approvals under every policy', () => {
    const missed = { a: 'Reject', b: 'Abstain' };
    expect(requested({}, 2, missed).commit(true)).toBe(BAD);
    expect(requested({}, 2, missed).commit(false)).toBe('ok');
    expect(requested(needs('n_of_m', 3), 1, { a: 'Reject' }).commit(true)).toBe(BAD);
  });

  it('macp-2026:11.3 a threshold beyond the participants can be declined before any ballot', () => {
    expect(requested(needs('n_of_m', 4)).commit(false)).toBe('ok');
  });

  it.each([
    [needs('n_of_m', 1), 1],
    [needs('count', 3), 3],
    [needs('percentage', 1), 1],
    [needs('percentage', 33), 1],
    [needs('percentage', 34), 2],
    [needs('percentage', 66), 2],
    [needs('percentage', 67), 3],
    [needs('percentage', 100), 3],
    [{ threshold: { type: 'percentage' } }, 2],
    [{}, 2],
  ])('macp-2026:11.3 the threshold of %j is %d of 3 where 2 are asked for', (rules, needed) => {
    const senders = ['a', 'b', 'c'];
    const on = requested(rules, 2);
    for (const [index, sender] of senders.entries()) {
      expect(on.commit(true)).toBe(index < needed ? BAD : 'ok');
      if (on.state?.status !== 'OPEN') return;
      cast(on, sender, 'Approve');
    }
    expect(on.commit(true)).toBe('ok');
    expect(on.replayed()).toEqual(on.state);
  });

  it('macp-2026:11.3 an abstention uses up a ballot and changes nothing else, whatever the policy calls it', () => {
    for (const interpretation of ['neutral', 'implicit_reject', 'ignored']) {
      const rules = { abstention: { counts_toward_quorum: true, interpretation } };
      const on = requested(rules, 2, { a: 'Abstain', b: 'Approve' });
      expect(on.commit(false)).toBe(BAD);
      cast(on, 'c', 'Approve');
      expect(on.commit(true)).toBe('ok');
    }
  });
});
