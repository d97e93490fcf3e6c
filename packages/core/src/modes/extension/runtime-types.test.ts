/** Whatever a mode lists, nobody but the runtime ends a session by what only the runtime writes. */
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../../../test/conformance/verifies.js';
import { type Envelope, RUNTIME_MESSAGE_TYPES } from '../../envelope/envelope.js';
import { checkShape } from '../../envelope/shape.js';
import { descriptorToFacts } from '../../registry/mode-facts.js';
import { modesDecider } from '../../registry/modes.js';
import { logOf, verified } from '../../registry/recorded-registry.test.helper.js';
import { testCodec as codec } from '../mode-session.test.helper.js';
import { createExtensionMode } from './extension-mode.js';

const MODE = 'ext.ends.v1';
const descriptorWith = (type: string) => ({
  mode: MODE,
  modeVersion: '1.0.0',
  title: '',
  description: '',
  determinismClass: '',
  participantModel: '',
  messageTypes: ['SessionStart', type, 'Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: {},
});
const say = (messageType: string): Envelope => ({
  macpVersion: '1.0',
  mode: MODE,
  messageType,
  messageId: 'm',
  sessionId: '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8',
  sender: 'bob',
  timestampUnixMs: 0,
  payload: new Uint8Array(),
});
const register = (type: string) =>
  modesDecider.decide(
    undefined,
    { kind: 'register', descriptor: descriptorWith(type) },
    { at: 1, seq: 1, agent: 'admin' },
    { codec, consulted: {} },
  );

describe.each([...RUNTIME_MESSAGE_TYPES])('%s', (type) => {
  it('is refused from clients, in a mode that lists it, too', () => {
    expect(checkShape(say(type), 1_000)).toMatchObject({ code: 'INVALID_ENVELOPE' });
    const recorded = createExtensionMode(descriptorWith(type), false, 'initiator');
    const session = { id: '', initiator: 'alice', participants: ['bob'], suspendedTotalMs: 0 };
    const policy = { policyId: 'p', schemaVersion: 1 };
    const view = { ...session, rev: 6, policy, rules: recorded.strictestRules };
    expect(recorded.decide(recorded.initial, say(type), view, codec)).toMatchObject({
      rejection: { code: 'INVALID_ENVELOPE' },
    });
  });

  it(`${verifies('macp-2026:13:runtime-types')}cannot be listed by a new mode; a registration that is recorded verifies`, () => {
    expect(register(type)).toMatchObject({ kind: 'rejected' });
    const descriptor = descriptorToFacts(descriptorWith(type));
    expect(verified('modes', logOf('modes', [['ModeRegistered', { descriptor }]]))).toMatchObject({
      ok: true,
    });
  });
});

it('what the runtime writes includes the entry of a time-out', () => {
  expect([...RUNTIME_MESSAGE_TYPES]).toContain('SessionExpired');
});

it('a mode lists SessionStart, and nothing that is said outside of sessions', () => {
  expect(register('Say')).toMatchObject({ kind: 'accepted' });
  for (const type of ['Signal', 'Progress']) expect(register(type)).toMatchObject({ kind: 'rejected' });
});
