/** What the interface offers to modes and Handoff does not use: a small vote, run by the session's own rules. */
import { createCodec } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { sessionDecider } from '../bound-session/session-decider.js';
import { string } from '../envelope/json/kinds.js';
import { object } from '../envelope/json/object-kind.js';
import { payloadTable } from '../envelope/payload-kind.js';
import { type CommitmentRules, readAuthority } from '../policy/rules.js';
import { block } from '../policy/rules-reading.js';
import { type SessionState, SessionStatus } from '../session/state.js';
import { eraseMode } from './erase-mode.js';
import { handoffMode } from './handoff/handoff-mode.js';
import type { Mode, ModeTerms } from './mode.js';

interface Vote {
  readonly yes: readonly string[];
  readonly over: boolean;
}
interface VoteRules extends CommitmentRules {
  readonly needed: number;
}

const codec = createCodec({ sha256: () => '' });
const MODE = 'macp.mode.vote.v1';

const vote = (terms: Partial<ModeTerms> = {}): Mode<Vote, VoteRules, { Yes: { readonly why: string } }> => ({
  descriptor: {
    mode: MODE,
    modeVersion: '1.0.0',
    title: '',
    description: '',
    determinismClass: '',
    participantModel: '',
    messageTypes: ['SessionStart', 'Yes', 'Commitment'],
    terminalMessageTypes: ['Commitment'],
    schemaUris: {},
  },
  strict: true,
  minParticipants: 0,
  commitBy: 'initiator',
  reservedMessageIdPrefixes: [],
  ruleKeys: { needed: null, commitment: { authority: null, designated_roles: null } },
  payloads: payloadTable(MODE, { Yes: object({ why: string }) }),
  readRules(rules, keys) {
    const flaws: string[] = [];
    const authority = readAuthority(block('commitment', rules, keys, flaws), flaws);
    if (flaws.length > 0) return { flaws };
    return { rules: { ...authority, needed: Number(rules.needed ?? 1) } };
  },
  strictestRules: { authority: 'initiator_only', designatedRoles: [], needed: Number.POSITIVE_INFINITY },
  initial: { yes: [], over: false },
  decide: () => ({ facts: {} }),
  evolve: (state, { type, actor }) =>
    type === 'Commitment' ? { ...state, over: true } : { ...state, yes: [...state.yes, actor].sort() },
  ready: () => undefined,
  denials: ({ yes }, _commitment, { rules, policy }) =>
    yes.length >= rules.needed
      ? []
      : [{ code: 'no_votes', message: `too few under schema ${policy.schemaVersion}`, participants: yes }],
  view: ({ yes, over }) => ({ yes, over }),
  ...terms,
});

function session(mode = vote(), rules = {}, participants: readonly string[] = ['a', 'b']): SessionState {
  const erased = eraseMode(mode);
  const policy = { policyId: 'p', mode: MODE, schemaVersion: 2, rules };
  return {
    id: 's',
    rev: 4,
    controls: [],
    mode: erased,
    modeVersion: '1.0.0',
    configurationVersion: 'c',
    policy,
    participants,
    initiator: 'owner',
    contextId: '',
    extensionKeys: [],
    status: SessionStatus.Open,
    startedAt: 0,
    deadline: 10,
    maxSuspendMs: 10,
    suspendedTotalMs: 0,
    activity: [],
    seq: 1,
    run: erased.begin(rules, erased.ruleKeys),
  };
}

function say(state: SessionState, sender: string, messageType: string) {
  const payload = codec.encode('Commitment', {
    commitmentId: 'c',
    action: 'done',
    authorityScope: 'all',
    reason: 'r',
    outcomePositive: true,
    modeVersion: '1.0.0',
    policyVersion: '',
    configurationVersion: 'c',
  });
  const envelope = {
    macpVersion: '1.0',
    mode: MODE,
    messageType,
    messageId: 'm',
    sessionId: 's',
    sender,
    timestampUnixMs: 0,
    payload,
  };
  const modes = { modes: new Map([[MODE, { mode: state.mode, promoted: true }]]), createdAt: 0 };
  return sessionDecider.decide(
    state,
    { kind: 'envelope', envelope },
    { at: 5, seq: 2, agent: sender },
    { codec, consulted: { modes } },
  );
}

const entry = { type: 'Yes', facts: {}, actor: 'b', at: 1, seq: 2 };

describe('a session of any mode', () => {
  it('takes a Commitment from the initiator alone where the mode says so, whatever the policy says', () => {
    const rules = { commitment: { authority: 'any_participant' } };
    const forbidden = { kind: 'rejected', rejection: { code: 'FORBIDDEN' } };
    const told = (mode: ReturnType<typeof vote>, sender: string) => {
      const open = session(mode, { ...rules, needed: 0 });
      return say(open, sender, 'Commitment');
    };
    expect(told(vote(), 'a')).toMatchObject(forbidden);
    expect(told(vote(), 'owner')).toMatchObject({ kind: 'accepted' });
    expect(told(vote({ commitBy: 'policy' }), 'a')).toMatchObject({ kind: 'accepted' });
  });

  it('lets nobody speak where a strict mode lists nobody, and anybody where the mode is not strict', () => {
    const told = (strict: boolean, sender: string) => say(session(vote({ strict }), {}, []), sender, 'Yes');
    for (const sender of ['owner', 'a'])
      expect(told(true, sender)).toMatchObject({ kind: 'rejected', rejection: { code: 'FORBIDDEN' } });
    expect(told(false, 'a')).toMatchObject({ kind: 'accepted' });
  });

  it('is denied by the mode under the frozen rules, with codes and participants', () => {
    const open = session(vote(), { needed: 2 });
    const once = { ...open, run: open.run.evolve(entry, open) };
    expect(say(once, 'owner', 'Commitment')).toMatchObject({
      rejection: {
        code: 'POLICY_DENIED',
        reasons: ['too few under schema 2'],
        denials: [{ code: 'no_votes', message: 'too few under schema 2', participants: ['b'] }],
      },
    });
    const twice = { ...once, run: once.run.evolve({ ...entry, actor: 'a' }, once) };
    expect(say(twice, 'owner', 'Commitment')).toMatchObject({ kind: 'accepted' });
  });

  it('is denied where the frozen rules cannot be read; the mode is not asked then', () => {
    const open = session(vote(), { needed: 0, commitment: { authority: 'everybody' } });
    const flaw = 'commitment.authority must be one of initiator_only, any_participant, designated_role';
    expect(say(open, 'owner', 'Commitment')).toMatchObject({
      rejection: {
        code: 'POLICY_DENIED',
        denials: [{ code: 'invalid_rules', message: `policy p: ${flaw}` }],
      },
    });
  });

  it('shows its state to those who name its mode, and the mode sees the Commitment', () => {
    const mode = vote();
    const open = session(mode);
    const over = open.run.evolve({ ...entry, type: 'Commitment' }, open);
    expect(over.stateOf(mode)).toEqual({ yes: [], over: true });
    expect(over.view()).toEqual({ yes: [], over: true });
    expect(over.stateOf(handoffMode)).toBeUndefined();
    expect(over.stateOf(vote())).toBeUndefined();
  });
});
