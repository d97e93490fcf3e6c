/** Where nobody is listed anybody is heard, but not any number of them: each is kept in the state. */
import { expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { sessionDecider } from '../bound-session/session-decider.js';
import { eraseMode } from '../modes/erase-mode.js';
import { createExtensionMode } from '../modes/extension/extension-mode.js';
import { testCodec as codec } from '../modes/mode-session.test.helper.js';
import { SessionRev } from './rev.js';
import type { SessionState } from './state.js';

const MODE = 'ext.note.v1';
const ID = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';
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
const extension = eraseMode(createExtensionMode(descriptor, false, 'initiator'));
const consulted = { modes: { modes: new Map([[MODE, { mode: extension, promoted: false }]]), createdAt: 1 } };

function begun(rev: number | undefined) {
  let state: SessionState | undefined;
  let seq = 0;
  const say = (sender: string, messageType: string, payload: Uint8Array = new Uint8Array(0)) => {
    const messageId = `m${seq + 1}`;
    const envelope = {
      ...{ macpVersion: '1.0', mode: MODE, messageType, messageId, sessionId: ID, sender },
      ...{ timestampUnixMs: 0, payload },
    };
    const command = { kind: 'envelope', envelope, ...(seq === 0 && rev !== undefined && { rev }) } as const;
    const stamp = { at: 1_000, seq: seq + 1, agent: sender };
    const decision = sessionDecider.decide(state, command, stamp, { codec, consulted });
    if (decision.kind !== 'accepted') return decision.kind === 'rejected' ? decision.rejection.message : '';
    const stream = { tenant: 'default', kind: 'session', id: ID } as const;
    const chain = { payloadHash: '', prev: '', hash: '', factsText: '' };
    for (const draft of decision.drafts)
      state = sessionDecider.evolve(state, { ...draft, ...chain, stream, seq: ++seq, at: 1_000 });
    return 'ok';
  };
  const start = codec.encode('SessionStart', {
    ...{ intent: '', participants: [], modeVersion: '1.0.0', configurationVersion: 'c', policyVersion: '' },
    ...{ ttlMs: 60_000, roots: [], contextId: '', extensions: {}, maxSuspendMs: 0 },
  });
  expect(say('owner', 'SessionStart', start)).toBe('ok');
  return (sender: string) => say(sender, 'Note');
}

it(`${verifies('macp-2026:13:speakers')}a thousand senders are heard, and no others; each of them goes on`, () => {
  const say = begun(undefined);
  for (let at = 0; at < 1_000; at++) expect(say(`agent-${at}`)).toBe('ok');
  expect(say('one-more')).toBe('the session has heard 1000 senders and takes no others');
  expect(say('agent-7')).toBe('ok');
});

it(`${verifies('macp-2026:13:speakers')}a session of before hears any number, so that its history replays`, () => {
  const say = begun(SessionRev.First);
  for (let at = 0; at <= 1_000; at++) expect(say(`agent-${at}`)).toBe('ok');
});
