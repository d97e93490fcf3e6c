import { describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../platform/node-codec.js';
import { ackToJson, metadataToJson } from './translate.js';

describe('answers as JSON', () => {
  it('writes an accepted Ack without an error', () => {
    const ack = {
      ok: true,
      duplicate: false,
      messageId: 'm',
      sessionId: 's',
      acceptedAtUnixMs: 5,
      sessionState: 'OPEN',
    } as const;
    expect(ackToJson(ack, codec)).toEqual({
      ok: true,
      duplicate: false,
      message_id: 'm',
      session_id: 's',
      accepted_at_unix_ms: 5,
      session_state: 'SESSION_STATE_OPEN',
    });
  });

  it('writes the details of a refusal as base64', () => {
    const details = codec.utf8('{"reasons":["no"]}');
    const error = { code: 'POLICY_DENIED', message: 'no', sessionId: 's', messageId: 'm', details };
    const json = ackToJson(
      {
        ok: false,
        duplicate: false,
        messageId: 'm',
        sessionId: 's',
        acceptedAtUnixMs: 5,
        sessionState: 'UNSPECIFIED',
        error,
      },
      codec,
    );
    expect(json.session_state).toBe('SESSION_STATE_UNSPECIFIED');
    expect(json.error).toEqual({
      code: 'POLICY_DENIED',
      message: 'no',
      session_id: 's',
      message_id: 'm',
      details: Buffer.from(details).toString('base64'),
    });
  });

  it('writes metadata with integers and full state names', () => {
    const json = metadataToJson({
      sessionId: 's',
      mode: 'm',
      state: 'SUSPENDED',
      startedAtUnixMs: 1,
      expiresAtUnixMs: 2,
      modeVersion: '1.0.0',
      configurationVersion: 'c',
      policyVersion: 'p',
      participants: ['a'],
      participantActivity: [{ participant: 'a', lastMessageAt: 3, messages: 4 }],
      initiator: 'a',
      contextId: '',
      extensionKeys: ['x'],
    });
    expect(json).toMatchObject({
      state: 'SESSION_STATE_SUSPENDED',
      started_at_unix_ms: 1,
      participant_activity: [{ participant_id: 'a', last_message_at_unix_ms: 3, message_count: 4 }],
      context_id: '',
      extension_keys: ['x'],
    });
  });
});
