/** Decision Mode, rule by rule; the names cite docs/spec/macp-2026.md. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import type { JsonObject } from '../../log/json.js';
import { NEWEST_SESSION_REV, SessionRev } from '../../session/rev.js';
import { ModeSession } from '../mode-session.test.helper.js';

const MODE = 'macp.mode.decision.v1';
const [NO, BAD] = ['FORBIDDEN', 'INVALID_ENVELOPE'];

const session = (
  rules: JsonObject = {},
  schemaVersion = 3,
  participants = ['a', 'b', 'c'],
  rev: number = NEWEST_SESSION_REV,
) => new ModeSession({ mode: MODE, participants, rules, schemaVersion, rev });
const propose = (on: ModeSession, proposalId = 'p', sender = 'a') =>
  on.say(sender, 'Proposal', { proposalId, option: 'x' });
const evaluate = (on: ModeSession, fields: object = {}, sender = 'a') =>
  on.say(sender, 'Evaluation', { proposalId: 'p', recommendation: 'APPROVE', confidence: 0.5, ...fields });
const object = (on: ModeSession, fields: object = {}, sender = 'a') =>
  on.say(sender, 'Objection', { proposalId: 'p', severity: 'critical', ...fields });
const vote = (on: ModeSession, sender: string, word: string, proposalId = 'p') =>
  on.say(sender, 'Vote', { proposalId, vote: word });

function proposed(rules: JsonObject = {}, schemaVersion = 3, votes: Readonly<Record<string, string>> = {}) {
  const on = session(rules, schemaVersion);
  expect(propose(on)).toBe('ok');
  for (const [sender, word] of Object.entries(votes)) expect(vote(on, sender, word)).toBe('ok');
  return on;
}

describe('Decision Mode, who may speak', () => {
  it('macp-2026:7.2 starts without participants, and then nobody is heard', () => {
    const on = session({}, 1, []);
    expect(on.started).toBe('ok');
    expect(propose(on, 'p', 'owner')).toBe(NO);
    expect(propose(on)).toBe(NO);
    expect(on.commit(true)).toBe(NO);
  });

  it('macp-2026:7.3 hears listed participants only; the initiator is none unless listed', () => {
    const on = proposed();
    for (const sender of ['owner', 'x']) {
      expect(propose(on, 'q', sender)).toBe(NO);
      expect(evaluate(on, {}, sender)).toBe(NO);
      expect(object(on, {}, sender)).toBe(NO);
      expect(vote(on, sender, 'APPROVE')).toBe(NO);
    }
  });

  it('macp-2026:7.3 forbids other message types', () => {
    expect(session().say('a', 'HandoffOffer')).toBe(NO);
  });

  it('macp-2026:5.1 lets whom the policy names commit, and nobody else', () => {
    const any = proposed({ commitment: { authority: 'any_participant' } });
    expect(any.commit(true, { by: 'x' })).toBe(NO);
    expect(any.commit(true, { by: 'b' })).toBe('ok');
    const named = { commitment: { authority: 'designated_role', designated_roles: ['x'] } };
    expect(proposed(named).commit(true)).toBe(NO);
    expect(proposed(named).commit(true, { by: 'x' })).toBe('ok');
    expect(propose(proposed(named), 'q', 'x')).toBe(NO);
  });
});

describe('Decision Mode, message by message', () => {
  it('macp-2026:7.4 refuses a Proposal that is blank, known or late', () => {
    const on = proposed();
    expect(on.say('a', 'Proposal', { proposalId: ' ', option: 'x' })).toBe(BAD);
    expect(on.say('a', 'Proposal', { proposalId: 'q', option: ' ' })).toBe(BAD);
    expect(propose(on, 'p', 'b')).toBe(BAD);
    expect(on.sayBytes('a', 'Proposal', Uint8Array.of(0xff))).toBe(BAD);
    expect(propose(on, 'q')).toBe('ok');
    expect(vote(on, 'a', 'ABSTAIN')).toBe('ok');
    expect(propose(on, 'r')).toBe(BAD);
  });

  it.each(['approve', 'Approve', '', 'ABSTAIN', 'APPROVE '])(
    'macp-2026:7.4 refuses the recommendation "%s"',
    (recommendation) => {
      expect(evaluate(proposed(), { recommendation })).toBe(BAD);
    },
  );

  it.each([-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY])(
    'macp-2026:7.4 refuses the confidence %d',
    (confidence) => {
      expect(evaluate(proposed(), { confidence })).toBe(BAD);
    },
  );

  it('macp-2026:7.4 takes any number of evaluations and objections between first Proposal and first Vote', () => {
    const on = session();
    expect(evaluate(on)).toBe(BAD);
    expect(object(on)).toBe(BAD);
    propose(on);
    for (const recommendation of ['APPROVE', 'REVIEW', 'BLOCK', 'REJECT'])
      expect(evaluate(on, { recommendation, confidence: -0 })).toBe('ok');
    for (const severity of ['low', 'medium', 'high', 'critical']) expect(object(on, { severity })).toBe('ok');
    expect(evaluate(on, { proposalId: 'q' })).toBe(BAD);
    expect(object(on, { proposalId: 'q' })).toBe(BAD);
    expect(vote(on, 'b', 'APPROVE')).toBe('ok');
    expect(evaluate(on)).toBe(BAD);
    expect(object(on)).toBe(BAD);
    expect(on.view).toMatchObject({
      phase: 'Voting',
      evaluations: { count: 4, qualifying: 3 },
      objections: { count: 4, critical: 1, critical_by: ['a'] },
    });
  });

  it.each(['CRITICAL', '', 'severe'])('macp-2026:7.4 refuses the severity "%s"', (severity) => {
    expect(object(proposed(), { severity })).toBe(BAD);
  });

  it('macp-2026:7.4 takes one exact Vote per sender and proposal', () => {
    const on = session();
    expect(vote(on, 'a', 'APPROVE')).toBe(BAD);
    propose(on);
    propose(on, 'q');
    for (const word of ['approve', '', 'BLOCK']) expect(vote(on, 'a', word)).toBe(BAD);
    expect(vote(on, 'a', 'APPROVE', 'r')).toBe(BAD);
    expect(vote(on, 'a', 'APPROVE')).toBe('ok');
    expect(vote(on, 'a', 'REJECT')).toBe(BAD);
    expect(vote(on, 'a', 'REJECT', 'q')).toBe('ok');
    expect(vote(on, 'b', 'ABSTAIN')).toBe('ok');
  });

  it('macp-2026:7.4 commits once something was proposed; under the default policy no vote is needed', () => {
    expect(session().commit(true)).toBe(BAD);
    const on = proposed();
    expect(on.commit(true, { action: 'decision.selected' })).toBe('ok');
    expect(on.view).toMatchObject({ phase: 'Committed' });
    expect(vote(on, 'a', 'APPROVE')).toBe('SESSION_NOT_OPEN');
    expect(on.replayed()).toEqual(on.state);
  });
});

const voting = (algorithm: string, more: JsonObject = {}): JsonObject => ({ voting: { algorithm, ...more } });
const ALL = { a: 'APPROVE', b: 'APPROVE', c: 'APPROVE' };
const TWO = { a: 'APPROVE', b: 'APPROVE', c: 'REJECT' };
const ONE = { a: 'APPROVE', b: 'REJECT', c: 'REJECT' };
const TIE = { a: 'APPROVE', b: 'REJECT', c: 'ABSTAIN' };
const SILENT = { a: 'ABSTAIN' };
const weights = { a: 5, b: 1 };

type Denied = readonly string[] | string;
type Case = readonly [name: string, rules: JsonObject, votes: object, positive: Denied, negative: Denied];

describe('Decision Mode, what the policy says of the votes', () => {
  const failed = ['threshold_not_met'];
  const over = ['decline_over_approval'];
  const unbacked = ['decline_not_backed'];
  const cases: readonly Case[] = [
    ['none takes any outcome', voting('none'), {}, 'ok', 'ok'],
    ['majority, two of three', voting('majority'), TWO, 'ok', over],
    ['majority, a tie is enough', voting('majority'), TIE, 'ok', over],
    ['majority, one of three', voting('majority'), ONE, failed, 'ok'],
    ['majority, all: a decline is not backed either', voting('majority'), ALL, 'ok', [...over, ...unbacked]],
    ['majority above its threshold', voting('majority', { threshold: 0.7 }), TWO, failed, 'ok'],
    ['supermajority, two thirds', voting('supermajority', { threshold: 0.6 }), TWO, 'ok', over],
    ['supermajority, missed', voting('supermajority', { threshold: 0.7 }), TWO, failed, 'ok'],
    ['unanimous, all', voting('unanimous'), ALL, 'ok', [...over, ...unbacked]],
    ['unanimous, one is missing', voting('unanimous'), { a: 'APPROVE', b: 'APPROVE' }, failed, unbacked],
    ['unanimous, one rejects', voting('unanimous'), TWO, failed, 'ok'],
    ['plurality, more approve', voting('plurality'), TWO, 'ok', over],
    ['plurality, a tie fails', voting('plurality'), TIE, failed, 'ok'],
    ['weighted, the heavy one approves', voting('weighted', { weights }), ONE, 'ok', over],
    [
      'weighted, the heavy one rejects',
      voting('weighted', { weights }),
      { a: 'REJECT', b: 'APPROVE', c: 'APPROVE' },
      failed,
      'ok',
    ],
    [
      'weighted, who weighs nothing does not decide',
      voting('weighted', { weights }),
      { c: 'REJECT' },
      ['no_votes'],
      unbacked,
    ],
    ['nobody decides', voting('majority'), SILENT, ['no_votes'], unbacked],
  ];

  it.each(cases)('macp-2026:7.5 %s', (_, rules, votes, positive, negative) => {
    expect(proposed(rules, 3, { ...votes }).denied(true)).toEqual(positive);
    expect(proposed(rules, 3, { ...votes }).denied(false)).toEqual(negative);
  });

  it.each([1, 2, 3])(
    'macp-2026:7.5 allow_decline_over_approval still needs a rejection, schema %d',
    (schema) => {
      const rules = { ...voting('majority'), commitment: { allow_decline_over_approval: true } };
      expect(proposed(rules, schema, TWO).denied(false)).toBe('ok');
      expect(proposed(rules, schema, ALL).denied(false)).toEqual(unbacked);
    },
  );

  it('macp-2026:6.4 an empty tally blocks by itself from schema 3 on, before only with require_vote_quorum', () => {
    for (const schema of [1, 2]) expect(proposed(voting('majority'), schema).denied(true)).toBe('ok');
    expect(proposed(voting('majority'), 3).denied(true)).toEqual(['no_votes']);
    const required = { ...voting('majority'), commitment: { require_vote_quorum: true } };
    for (const schema of [1, 2, 3]) expect(proposed(required, schema).denied(true)).toEqual(['no_votes']);
  });

  it.each([
    [
      { algorithm: 'majority', threshold: 0.6 },
      'approvals: 1 of 2 votes that decide; majority needs a share of 0.6',
    ],
    [
      { algorithm: 'supermajority', threshold: 0.6666666666666666 },
      'approvals: 1 of 2 votes that decide; supermajority needs a share of 0.6666666666666666',
    ],
    [
      { algorithm: 'unanimous' },
      '1 of 3 participants approve, votes against: 1; unanimous needs all and none',
    ],
    [{ algorithm: 'plurality' }, 'approvals: 1, rejections: 1; plurality needs more approvals'],
    [
      { algorithm: 'weighted', weights: { a: 2, b: 3 } },
      'a weight of 2 of 5 approves; weighted needs a share of 0.5',
    ],
    [
      { algorithm: 'weighted', weights: { c: 1 } },
      'nobody whom voting.weights names has approved or rejected',
    ],
  ])('macp-2026:2.3 the denial says how far the votes are from it: %o', (voting, message) => {
    const on = proposed({ voting }, 3, { a: 'APPROVE', b: 'REJECT' });
    expect(on.commit(true)).toBe('POLICY_DENIED');
    expect(on.denials.map((denial) => denial.message)).toEqual([message]);
  });

  it('macp-2026:7.5 tallies all proposals together', () => {
    const on = proposed(voting('unanimous'));
    propose(on, 'q');
    vote(on, 'a', 'APPROVE');
    vote(on, 'b', 'APPROVE', 'q');
    vote(on, 'c', 'APPROVE', 'q');
    expect(on.denied(true)).toBe('ok');
  });

  it('macp-2026:7.5 the quorum counts distinct voters, also those who abstain or weigh nothing', () => {
    const quorum = (type: string, value: number) => ({
      voting: { quorum: { type, value } },
      commitment: { require_vote_quorum: true },
    });
    const two = { a: 'ABSTAIN', b: 'REJECT' };
    expect(proposed(quorum('count', 2), 3, two).denied(true)).toBe('ok');
    expect(proposed(quorum('count', 3), 3, two).denied(true)).toEqual(['quorum_not_met']);
    expect(proposed(quorum('percentage', 66), 3, two).denied(true)).toBe('ok');
    expect(proposed(quorum('percentage', 67), 3, two).denied(true)).toEqual(['quorum_not_met']);
    // A percentage that somebody has computed: 0.07 * 100 is more than 7 in doubles, and 100 / 3 is more than a third.
    for (const [percent, voters, of] of [
      [0.07 * 100, 7, 100],
      [100 / 3, 1, 3],
    ] as const) {
      const names = Array.from({ length: of }, (_, at) => `v${at}`);
      const on = session(quorum('percentage', percent), 3, names);
      expect(propose(on, 'p', 'v0')).toBe('ok');
      for (const name of names.slice(0, voters)) expect(vote(on, name, 'ABSTAIN')).toBe('ok');
      expect(on.denied(true)).toBe('ok');
    }
    // In doubles 29 / 100 * 100 is less than 29.
    for (const [percent, voters, of] of [
      [29, 29, 100],
      [57, 57, 100],
      [58, 29, 50],
    ] as const) {
      const names = Array.from({ length: of }, (_, at) => `v${at}`);
      const speakers = names.slice(0, voters);
      // As sessions of before were judged, and are when they are replayed.
      for (const [rev, met] of [
        [NEWEST_SESSION_REV, 'ok'],
        [SessionRev.NothingLeft, ['quorum_not_met']],
      ] as const) {
        const on = session(quorum('percentage', percent), 3, names, rev);
        expect(propose(on, 'p', 'v0')).toBe('ok');
        for (const name of speakers.slice(1)) expect(vote(on, name, 'APPROVE')).toBe('ok');
        expect(on.denied(true)).toEqual(['quorum_not_met']);
        expect(vote(on, 'v0', 'APPROVE')).toBe('ok');
        expect(on.denied(true)).toEqual(met);
      }
    }
    const twice = proposed(quorum('count', 2));
    propose(twice, 'q');
    vote(twice, 'a', 'REJECT');
    vote(twice, 'a', 'REJECT', 'q');
    expect(twice.denied(false)).toEqual(['quorum_not_met']);
    const unasked = { voting: { quorum: { type: 'count', value: 3 } } };
    expect(proposed(unasked, 3, two).denied(true)).toBe('ok');
  });
});

describe('Decision Mode, what the policy says of the review', () => {
  const reviewed = (evaluation: JsonObject, ...said: readonly object[]) => {
    const on = proposed({ evaluation });
    for (const fields of said) expect(evaluate(on, fields)).toBe('ok');
    return on.denied(true);
  };

  it('macp-2026:7.5 required_before_voting needs an evaluation that is not REVIEW', () => {
    expect(reviewed({ required_before_voting: true })).toEqual(['evaluation_required']);
    expect(reviewed({ required_before_voting: true }, { recommendation: 'REVIEW' })).toEqual([
      'evaluation_required',
    ]);
    expect(reviewed({ required_before_voting: true }, { recommendation: 'BLOCK', confidence: 0 })).toBe('ok');
  });

  it('macp-2026:7.5 minimum_confidence is asked of qualifying evaluations, and alone gates nothing', () => {
    const both = { required_before_voting: true, minimum_confidence: 0.5 };
    expect(reviewed(both, { confidence: 0.4 })).toEqual(['confidence_below_minimum']);
    expect(reviewed(both, { confidence: 0.9, recommendation: 'REVIEW' })).toEqual([
      'confidence_below_minimum',
    ]);
    expect(reviewed(both, { confidence: 0.4 }, { confidence: 0.5 })).toBe('ok');
    const low = proposed({ evaluation: both });
    evaluate(low, { confidence: 0.4 });
    low.commit(true);
    expect(low.denials.map(({ message }) => message)).toEqual([
      'no evaluation that recommends something has a confidence of 0.5; the highest is 0.4',
    ]);
    expect(reviewed({ minimum_confidence: 0.5 })).toBe('ok');
  });

  const vetoed = (action: string | undefined, objections: number, more: JsonObject = {}) => {
    const on = proposed({
      objection_handling: {
        critical_severity_vetoes: true,
        veto_threshold: 2,
        ...(action !== undefined && { critical_objection_action: action }),
      },
      ...more,
    });
    for (let n = 0; n < objections; n++) expect(object(on, {}, n % 2 ? 'a' : 'b')).toBe('ok');
    object(on, { severity: 'high' }, 'c');
    return on;
  };

  it.each([
    [undefined, ['veto'], ['veto']],
    ['deny', ['veto'], ['veto']],
    ['hold', ['veto_hold'], ['veto_hold']],
    ['finalize_decline', ['veto'], 'ok'],
  ] as const)('macp-2026:7.5 critical objections with %s', (action, positive, negative) => {
    expect(vetoed(action, 2).denied(true)).toEqual(positive);
    expect(vetoed(action, 2).denied(false)).toEqual(negative);
    expect(vetoed(action, 1).denied(true)).toBe('ok');
  });

  it('macp-2026:2.3 names the critical objectors beside the message, sorted, each once', () => {
    const on = vetoed('deny', 4);
    on.commit(true);
    expect(on.denials).toEqual([
      { code: 'veto', message: 'vetoed by critical objections: 4', participants: ['a', 'b'] },
    ]);
  });

  it('macp-2026:7.5 a decline that objections finalize skips evaluation, quorum and votes', () => {
    const strict = {
      voting: { algorithm: 'unanimous', quorum: { type: 'count', value: 3 } },
      evaluation: { required_before_voting: true },
      commitment: { require_vote_quorum: true },
    };
    expect(vetoed('finalize_decline', 2, strict).denied(false)).toBe('ok');
  });

  it('macp-2026:7.5 gives every reason, in order', () => {
    const on = vetoed('deny', 2, {
      voting: { algorithm: 'majority', quorum: { type: 'count', value: 3 } },
      evaluation: { required_before_voting: true },
      commitment: { require_vote_quorum: true },
    });
    expect(on.denied(true)).toEqual(['evaluation_required', 'veto', 'quorum_not_met', 'no_votes']);
    expect(on.denied(false)).toEqual(['evaluation_required', 'veto', 'quorum_not_met', 'decline_not_backed']);
  });

  it(`${verifies('macp-2026:6.7:denies')}macp-2026:6.7 denies under rules that cannot be read and versions that are not known`, () => {
    expect(proposed({ voting: { algorithm: 'lottery' } }).denied(true)).toEqual(['invalid_rules']);
    expect(proposed({}, 4).denied(true)).toEqual(['unsupported_schema_version']);
  });
});
