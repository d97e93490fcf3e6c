import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RULES,
  initial,
  type Message,
  type PolicyRules,
  type State,
  stateKey,
  step,
} from './handoff-model.js';

const offer = (handoffId = 'h1', target = 'a', sender = 'owner'): Message => ({
  type: 'offer',
  sender,
  handoffId,
  target,
});
const accept = (handoffId = 'h1', sender = 'a', acceptedBy = ''): Message => ({
  type: 'accept',
  sender,
  handoffId,
  acceptedBy,
  implicit: false,
});
const decline = (handoffId = 'h1', sender = 'a'): Message => ({
  type: 'decline',
  sender,
  handoffId,
  declinedBy: sender,
});
const context = (handoffId = 'h1', sender = 'owner'): Message => ({ type: 'context', sender, handoffId });
const commit = (positive = true, sender = 'owner', action = 'done'): Message => ({
  type: 'commit',
  sender,
  positive,
  action,
  versionsMatch: true,
});
const control = (type: 'cancel' | 'suspend' | 'resume', sender = 'owner'): Message => ({ type, sender });

const fresh = (rules: Partial<PolicyRules> = {}) =>
  initial(['owner', 'a', 'b'], 'owner', { ...DEFAULT_RULES, ...rules });

function reach(messages: readonly Message[], rules: Partial<PolicyRules> = {}): State {
  return messages.reduce((state, message) => {
    const verdict = step(state, message);
    if (!verdict.accept) throw new Error(`${JSON.stringify(message)}: ${verdict.codeClass}`);
    return verdict.state;
  }, fresh(rules));
}

function codeOf(state: State, message: Message): string {
  const verdict = step(state, message);
  return verdict.accept ? 'ok' : verdict.codeClass;
}

describe('the model', () => {
  it('transfers: offer, accept, positive Commitment', () => {
    expect(reach([offer(), accept(), commit()])).toMatchObject({ phase: 'Resolved', outcome: 'positive' });
  });

  it('goes on to another target after a decline, never back', () => {
    const declined = reach([offer(), decline()]);
    expect(codeOf(declined, offer('h1', 'b'))).toBe('INVALID_ENVELOPE');
    expect(codeOf(declined, offer('h2', 'a'))).toBe('INVALID_ENVELOPE');
    expect(codeOf(declined, offer('h2', 'b'))).toBe('ok');
  });

  it('binds an owner who is not listed', () => {
    expect(initial(['a'], 'owner').participants).toEqual(['owner', 'a']);
  });

  it('refuses outsiders first, in any state', () => {
    expect(codeOf(fresh(), offer('h1', 'a', 'x'))).toBe('FORBIDDEN');
    expect(codeOf(reach([control('cancel')]), offer('h1', 'a', 'x'))).toBe('FORBIDDEN');
    expect(codeOf(reach([control('cancel')]), offer())).toBe('SESSION_NOT_OPEN');
  });

  it('judges an answer in order: offer, target, name, disposition', () => {
    const offered = reach([offer()]);
    expect(codeOf(offered, accept('h9', 'b'))).toBe('INVALID_ENVELOPE');
    expect(codeOf(offered, accept('h1', 'b', 'a'))).toBe('FORBIDDEN');
    expect(codeOf(offered, accept('h1', 'a', 'b'))).toBe('INVALID_ENVELOPE');
    expect(codeOf(reach([offer(), accept()]), accept())).toBe('INVALID_ENVELOPE');
    expect(codeOf(reach([offer(), accept()]), accept('h1', 'b'))).toBe('FORBIDDEN');
  });

  it('tells context on time from late context', () => {
    expect(reach([offer(), context()]).offers[0]?.context).toBe('on time');
    expect(reach([offer(), context(), accept(), context()]).offers[0]?.context).toBe('late');
    expect(codeOf(reach([offer()]), context('h1', 'a'))).toBe('FORBIDDEN');
    expect(codeOf(fresh(), context('h1', 'a'))).toBe('INVALID_ENVELOPE');
  });

  it.each<[string, readonly Message[], string, string]>([
    ['nothing', [], 'INVALID_ENVELOPE', 'INVALID_ENVELOPE'],
    ['a pending offer', [offer()], 'INVALID_ENVELOPE', 'INVALID_ENVELOPE'],
    ['an accept', [offer(), accept()], 'ok', 'INVALID_ENVELOPE'],
    ['a decline', [offer(), decline()], 'INVALID_ENVELOPE', 'ok'],
    [
      'a decline and a pending offer',
      [offer(), decline(), offer('h2', 'b')],
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
    ],
    [
      'a decline and an accept',
      [offer(), decline(), offer('h2', 'b'), accept('h2', 'b')],
      'ok',
      'INVALID_ENVELOPE',
    ],
  ])('after %s a positive and a negative Commitment', (_, path, positive, negative) => {
    expect([codeOf(reach(path), commit(true)), codeOf(reach(path), commit(false))]).toEqual([
      positive,
      negative,
    ]);
  });

  it('allows a negative Commitment without offers where the policy does', () => {
    const rules = { allowNoTarget: true };
    expect(codeOf(fresh(rules), commit(false))).toBe('ok');
    expect(codeOf(fresh(rules), commit(true))).toBe('INVALID_ENVELOPE');
    expect(codeOf(reach([offer()], rules), commit(false))).toBe('INVALID_ENVELOPE');
  });

  it('wants action and outcome to agree', () => {
    const ready = reach([offer(), accept()]);
    expect(codeOf(ready, commit(true, 'owner', 'handoff.declined'))).toBe('INVALID_ENVELOPE');
    expect(codeOf(reach([offer(), decline()]), commit(false, 'owner', 'handoff.accepted'))).toBe(
      'INVALID_ENVELOPE',
    );
    expect(codeOf(reach([offer(), decline()]), commit(false, 'owner', 'handoff.Accepted'))).toBe('ok');
  });

  it('lets commit whom the policy says', () => {
    const by = (rules: Partial<PolicyRules>) =>
      ['owner', 'a', 'x'].map((sender) => codeOf(reach([offer(), accept()], rules), commit(true, sender)));
    expect(by({})).toEqual(['ok', 'FORBIDDEN', 'FORBIDDEN']);
    expect(by({ authority: 'any_participant' })).toEqual(['ok', 'ok', 'FORBIDDEN']);
    expect(by({ authority: 'designated_role', designated: ['x'] })).toEqual(['FORBIDDEN', 'FORBIDDEN', 'ok']);
  });

  it('suspends, resumes and cancels for the owner and whoever may commit', () => {
    expect(codeOf(fresh(), control('suspend', 'a'))).toBe('FORBIDDEN');
    expect(codeOf(fresh(), control('resume'))).toBe('SESSION_NOT_OPEN');
    const suspended = reach([offer(), control('suspend')]);
    expect(codeOf(suspended, accept())).toBe('SESSION_NOT_OPEN');
    expect(reach([offer(), control('suspend'), control('resume'), accept()]).phase).toBe('Open');
    expect(reach([control('suspend'), control('cancel'), control('cancel')]).phase).toBe('Cancelled');
    const designated = { authority: 'designated_role', designated: ['x'] } as const;
    expect(codeOf(fresh(designated), control('suspend', 'x'))).toBe('ok');
    expect(codeOf(fresh(designated), control('suspend', 'owner'))).toBe('ok');
  });

  it('expires once, and records silence only where it means something', () => {
    expect(reach([offer(), { type: 'expiry' }]).phase).toBe('Expired');
    expect(codeOf(reach([{ type: 'expiry' }]), { type: 'expiry' })).toBe('NOT_DUE');
    expect(codeOf(reach([offer()]), { type: 'silence' })).toBe('NOT_DUE');
    expect(reach([offer(), { type: 'silence' }], { silence: 'accept' }).offers[0]?.answer).toBe('accepted');
    expect(reach([offer(), { type: 'silence' }], { silence: 'decline' }).offers[0]?.answer).toBe('declined');
    expect(codeOf(reach([offer(), control('suspend')], { silence: 'accept' }), { type: 'silence' })).toBe(
      'NOT_DUE',
    );
  });

  it('keys states by what they are, not how they came about', () => {
    expect(stateKey(reach([offer(), control('suspend'), control('resume')]))).toBe(
      stateKey(reach([offer()])),
    );
    expect(stateKey(reach([offer(), context()]))).not.toBe(stateKey(reach([offer()])));
  });
});
