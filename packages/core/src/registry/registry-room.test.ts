import { expect, it } from 'vitest';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { RulesRev } from '../policy/rules-rev.js';
import { type ModesState, modesDecider } from './modes.js';
import { type NewPolicy, type PoliciesState, policiesDecider } from './policies.js';
import { logOf, verified } from './recorded-registry.test.helper.js';
import { MAX_REGISTERED } from './registry-room.js';

const stamp = { at: 1, seq: 1, agent: 'admin' };
const context = { codec, consulted: {} };
const facts = (name: string) => ({
  policy_id: name,
  mode: '*',
  description: '',
  schema_version: 3,
  rules: {},
  rev: 2,
});
const full = logOf(
  'policies',
  Array.from({ length: MAX_REGISTERED }, (_, at) => ['PolicyRegistered', facts(`p${at}`)] as const),
);

it('a full registry of policies takes no more, and what a log holds beyond that verifies', () => {
  const state = full.reduce<PoliciesState | undefined>(
    (folded, entry) => policiesDecider.evolve(folded, entry),
    undefined,
  );
  const policy: NewPolicy = { policyId: 'q', mode: '*', description: '', schemaVersion: 3, rules: {} };
  const decide = (rev?: RulesRev) =>
    policiesDecider.decide(state, { kind: 'register', policy, ...(rev && { rev }) }, stamp, context).kind;
  expect([decide(), decide(RulesRev.Newest)]).toEqual(['rejected', 'accepted']);
  const more = logOf(
    'policies',
    Array.from({ length: MAX_REGISTERED + 2 }, (_, at) => ['PolicyRegistered', facts(`p${at}`)] as const),
  );
  expect(verified('policies', more)).toMatchObject({ ok: true });
});

it('modes have room for as many, and for a mebibyte', () => {
  const descriptor = (mode: string, title = '') => ({
    mode,
    modeVersion: '1',
    title,
    description: '',
    determinismClass: '',
    participantModel: '',
    messageTypes: ['Commitment'],
    terminalMessageTypes: ['Commitment'],
    schemaUris: {},
  });
  let state: ModesState | undefined;
  let taken = 0;
  for (; taken < 50; taken++) {
    const command = {
      kind: 'register',
      descriptor: descriptor(`ext.${taken}`, 'x'.repeat(100_000)),
    } as const;
    const decision = modesDecider.decide(state, command, stamp, context);
    if (decision.kind !== 'accepted') break;
    for (const draft of decision.drafts)
      state = modesDecider.evolve(state, { ...draft, seq: taken + 1, at: 1 } as never);
  }
  expect(taken).toBe(10);
});
