/** Registrations that a log holds and that nobody could make now (macp-2026:12, and 0 on replay). */
import { describe, expect, it } from 'vitest';
import { GENESIS, headOf, seal } from '../index.js';
import type { Draft, Entry } from '../log/entry.js';
import { NO_PAYLOAD } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { verifyStream } from '../proof/stream-audit.js';
import { extensionModes, findMode, type ModesState, modesDecider, standardModes } from './modes.js';
import { policiesDecider } from './policies.js';

const MULTI_ROUND = 'ext.multi_round.v1';
const SALT = new Uint8Array(16);

function logOf(kind: 'modes' | 'policies', facts: readonly (readonly [string, JsonObject])[]): Entry[] {
  const stream = { tenant: 'default', kind, id: kind };
  let head = GENESIS;
  return facts.map(([type, each], index) => {
    const messageId = `runtime:${type}:${index + 1}`;
    const draft: Draft = { type, v: 1, actor: 'admin', messageId, facts: each, payload: NO_PAYLOAD };
    const entry = seal(codec, stream, head, draft, 1_000, SALT);
    head = headOf(entry);
    return entry;
  });
}

const descriptor = {
  mode: MULTI_ROUND,
  mode_version: '9.9.9',
  title: '',
  description: '',
  determinism_class: '',
  participant_model: '',
  message_types: ['Contribute', 'Commitment'],
  terminal_message_types: ['Commitment'],
  schema_uris: {},
};
const registered = ['ModeRegistered', { descriptor }] as const;
const fold = (entries: readonly Entry[]) =>
  entries.reduce<ModesState | undefined>((state, entry) => modesDecider.evolve(state, entry), undefined);
const verified = (kind: 'modes' | 'policies', entries: readonly Entry[]) =>
  verifyStream({ tenant: 'default', kind, id: kind }, entries, codec);
const names = (modes: readonly { mode: string }[]) => modes.map(({ mode }) => mode);

describe('a recorded registration of a mode that is now built in', () => {
  it('macp-2026:12 is ignored', () => {
    for (const entries of [
      logOf('modes', [registered]),
      logOf('modes', [registered, ['ModePromoted', { mode: MULTI_ROUND, promoted: MULTI_ROUND }]]),
    ]) {
      const state = fold(entries);
      expect(findMode(state, MULTI_ROUND)?.descriptor.modeVersion).toBe('1.0.0');
      expect(names(extensionModes(state))).toEqual([MULTI_ROUND]);
      expect(names(standardModes(state))).not.toContain(MULTI_ROUND);
    }
  });

  it('macp-2026:12 stands under another name where it was promoted to one', () => {
    const state = fold(
      logOf('modes', [registered, ['ModePromoted', { mode: MULTI_ROUND, promoted: 'rounds' }]]),
    );
    expect(names(standardModes(state))).toContain('rounds');
  });

  it('macp-2026:0 verifies as it was accepted', () => {
    const entries = logOf('modes', [registered, ['ModeUnregistered', { mode: MULTI_ROUND }]]);
    expect(verified('modes', entries)).toMatchObject({ ok: true });
  });

  it('macp-2026:12 can neither be made nor undone now', () => {
    const state = fold(logOf('modes', [registered]));
    const stamp = { at: 1, seq: 2, agent: 'admin' };
    const context = { codec, consulted: {} };
    const { mode, message_types: messageTypes, terminal_message_types: terminalMessageTypes } = descriptor;
    const again = {
      mode,
      modeVersion: '1',
      title: '',
      description: '',
      determinismClass: '',
      participantModel: '',
      messageTypes,
      terminalMessageTypes,
      schemaUris: {},
    };
    for (const command of [
      { kind: 'register', descriptor: again },
      { kind: 'unregister', mode: MULTI_ROUND },
      { kind: 'promote', mode: MULTI_ROUND, promotedName: 'rounds' },
    ] as const)
      for (const before of [undefined, state])
        expect(modesDecider.decide(before, command, stamp, context)).toMatchObject({ kind: 'rejected' });
  });
});

describe('a recorded policy of a mode that was not built in', () => {
  const policy = (more: JsonObject) => ({
    policy_id: 'p',
    mode: 'macp.mode.decision.v1',
    description: '',
    schema_version: 1,
    rules: { anything: { goes: 1 } },
    ...more,
  });

  it('macp-2026:0 verifies by the rules of its time, and by those of now when it says so', () => {
    const old = logOf('policies', [['PolicyRegistered', policy({})]]);
    expect(verified('policies', old)).toMatchObject({ ok: true });
    const late = logOf('policies', [['PolicyRegistered', policy({ rules_rev: 2 })]]);
    expect(verified('policies', late)).toMatchObject({ ok: false });
  });

  it('macp-2026:6.2 is refused when it is made now', () => {
    const asked = { policyId: 'p', mode: 'macp.mode.decision.v1', description: '', schemaVersion: 1 };
    const decide = (rules: JsonObject) =>
      policiesDecider.decide(
        undefined,
        { kind: 'register', policy: { ...asked, rules } },
        { at: 1, seq: 1, agent: 'admin' },
        { codec, consulted: {} },
      );
    expect(decide({ anything: {} })).toMatchObject({ kind: 'rejected' });
    expect(decide({ voting: { algorithm: 'plurality' }, $note: 1 })).toMatchObject({
      kind: 'accepted',
      drafts: [{ facts: { rules_rev: 2 } }],
    });
  });

  it('macp-2026:6.2 for every mode may use the keys of all, and must be right for each', () => {
    const flaw = (rules: JsonObject, schemaVersion = 3) => {
      const policy = { policyId: 'p', mode: '*', description: '', schemaVersion, rules };
      const stamp = { at: 1, seq: 1, agent: 'admin' };
      return policiesDecider.decide(undefined, { kind: 'register', policy }, stamp, { codec, consulted: {} })
        .kind;
    };
    const all = {
      threshold: { value: 2 },
      voting: { algorithm: 'majority' },
      acceptance: { criterion: 'initiator' },
    };
    expect(flaw(all)).toBe('accepted');
    expect(flaw({ ...all, threshold: { value: 0 } })).toBe('rejected');
    expect(flaw({ ...all, unknown: 1 })).toBe('rejected');
    expect(flaw({ commitment: { allow_decline_over_approval: true } }, 1)).toBe('rejected');
  });
});
