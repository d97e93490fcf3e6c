/** Sessions of older revisions keep their rules (macp-2026:0). */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { sessionDecider } from '../bound-session/session-decider.js';
import { eraseMode } from '../modes/erase-mode.js';
import { createExtensionMode } from '../modes/extension/extension-mode.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { Control, type SessionCommand } from './command.js';
import { SessionRev } from './rev.js';
import type { SessionState } from './state.js';

const MODE = 'ext.note.v1';
const descriptor = {
  mode: MODE,
  modeVersion: '1.0.0',
  title: '',
  description: '',
  determinismClass: '',
  participantModel: '',
  messageTypes: ['Note', 'Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: {},
};
const policy = {
  policyId: 'p',
  mode: MODE,
  description: '',
  schemaVersion: 1,
  rules: { commitment: { authority: 'any_participant' } },
  registeredAtUnixMs: 1,
};
const consulted = {
  modes: {
    modes: new Map([
      [MODE, { mode: eraseMode(createExtensionMode(descriptor, false, 'initiator')), promoted: false }],
    ]),
    createdAt: 1,
  },
  policies: { policies: new Map([[policy.policyId, policy]]), createdAt: 1 },
};
const LONG = 'a'.repeat(200);

class Session {
  state: SessionState | undefined;
  #seq = 0;

  decide(command: SessionCommand, agent: string) {
    const stamp = { at: 1_000, seq: this.#seq + 1, agent };
    const decision = sessionDecider.decide(this.state, command, stamp, { codec, consulted });
    if (decision.kind !== 'accepted') return decision;
    const stream = { tenant: 'default', kind: 'session', id: LONG } as const;
    for (const draft of decision.drafts)
      this.state = sessionDecider.evolve(this.state, {
        ...draft,
        stream,
        seq: ++this.#seq,
        at: 1_000,
        payloadHash: '',
        prev: '',
        hash: '',
        factsText: '',
      });
    return decision;
  }
}

const envelope = (messageType: string, sender: string, payload: Uint8Array, sessionId = LONG) => ({
  macpVersion: '1.0',
  mode: MODE,
  messageType,
  messageId: messageType,
  sessionId,
  sender,
  timestampUnixMs: 0,
  payload,
});
const startPayload = codec.encode('SessionStart', {
  intent: '',
  participants: ['alice', 'bob'],
  modeVersion: '1.0.0',
  configurationVersion: 'c',
  policyVersion: 'p',
  ttlMs: 60_000,
  roots: [],
  contextId: '',
  extensions: {},
  maxSuspendMs: 0,
});
const commitment = codec.encode('Commitment', {
  commitmentId: 'c1',
  action: 'noted',
  authorityScope: 's',
  reason: 'r',
  modeVersion: '1.0.0',
  policyVersion: '',
  configurationVersion: 'c',
  outcomePositive: true,
});

function started(rev?: number, sessionId = LONG) {
  const session = new Session();
  const asked = {
    kind: 'envelope',
    envelope: envelope('SessionStart', 'alice', startPayload, sessionId),
  } as const;
  const decision = session.decide({ ...asked, ...(rev !== undefined && { rev }) }, 'alice');
  return { session, decision };
}

describe('a session', () => {
  it(`${verifies('macp-2026:4.6:newer')}of rules that are not known here is not replayed by others`, () => {
    const { decision } = started(undefined, 'a'.repeat(128));
    if (decision.kind !== 'accepted') throw new Error('it does not start');
    const [draft] = decision.drafts;
    if (!draft) throw new Error('there is no SessionStart');
    const stream = { tenant: 'default', kind: 'session', id: LONG } as const;
    const hashes = { payloadHash: '', prev: '', hash: '', factsText: '' };
    const replay = (rev: number) =>
      sessionDecider.evolve(undefined, {
        ...draft,
        facts: { ...draft.facts, rev },
        stream,
        seq: 1,
        at: 1,
        ...hashes,
      });
    for (const rev of [SessionRev.Wire2026, SessionRev.ExactShares]) expect(replay(rev).rev).toBe(rev);
    expect(() => replay(SessionRev.ExactShares + 1)).toThrow('knows up to 6');
  });

  it(`${verifies('macp-2026:4.6:recorded', 'macp-2026:4.6:older')}macp-2026:4.1 of before may have an id of more than 128 bytes, and records its revision`, () => {
    expect(started().decision).toMatchObject({ rejection: { code: 'INVALID_SESSION_ID' } });
    expect(started(SessionRev.First).decision).toMatchObject({ drafts: [{ facts: { rev: 2 } }] });
    const short = 'a'.repeat(128);
    expect(started(4, short).decision).toMatchObject({ drafts: [{ facts: { rev: 4 } }] });
    expect(started(undefined, short).decision).toMatchObject({ drafts: [{ facts: { rev: 6 } }] });
  });

  it.each([
    ['a UUID of version 1', '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d'],
    ['a UUID in capital letters', '9B2E7C1A-5D3F-4E8B-A1C2-D3E4F5A6B7C8'],
    ['too few characters', 'short'],
  ])('macp-2026:4.1 with %s as id is refused in a sentence that holds for it', (_, id) => {
    expect(started(undefined, id).decision).toMatchObject({
      rejection: {
        code: 'INVALID_SESSION_ID',
        message:
          'session_id must be 22 to 128 characters of [A-Za-z0-9_-]; what has the shape of a UUID must be one of version 4 or 7, in lowercase',
      },
    });
  });

  it(`${verifies('macp-2026:4.6:older')}macp-2026:5.1 of an extension mode is committed by the initiator; before, by whom the policy said`, () => {
    const commit = { kind: 'envelope', envelope: envelope('Commitment', 'bob', commitment) } as const;
    expect(started(SessionRev.First).session.decide(commit, 'bob').kind).toBe('accepted');
    const { session } = started(undefined, 'a'.repeat(128));
    expect(session.decide(commit, 'bob')).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });

  it('macp-2026:4.4 of before is suspended as often as anybody likes', () => {
    const { session } = started(SessionRev.First);
    for (let cycle = 0; cycle <= 1_024; cycle++) {
      session.decide({ kind: 'control', control: Control.Suspend, reason: '' }, 'alice');
      session.decide({ kind: 'control', control: Control.Resume, reason: '' }, 'alice');
    }
    expect(session.state?.controls.flat().length).toBe(2_050);
    session.decide({ kind: 'control', control: Control.Suspend, reason: '' }, 'alice');
    expect(session.state && sessionDecider.due(session.state)).toBeGreaterThan(1_000);
  });
});
