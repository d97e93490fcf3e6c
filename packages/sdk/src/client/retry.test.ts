import type { Envelope } from '@handover/core';
import type { Ack } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { buildEnvelope } from '../envelope/build.js';
import { MacpAckError, MacpRetryError, MacpTransportError } from '../errors.js';
import { retrySend } from './retry.js';

const envelope = buildEnvelope({ mode: 'm', messageType: 'T', sessionId: 's', payload: new Uint8Array() });
const ok: Ack = {
  ok: true,
  duplicate: true,
  messageId: '',
  sessionId: '',
  acceptedAtUnixMs: 0,
  sessionState: 'OPEN',
};
const nack = (code: string) =>
  new MacpAckError({ code, message: '', sessionId: '', messageId: '', reasons: [] });
const down = (code: string) => new MacpTransportError(code, code);

/** Fails with the given errors in turn, then succeeds; remembers what was sent. */
function failing(...errors: readonly Error[]) {
  const sent: Envelope[] = [];
  const send = async (message: Envelope) => {
    sent.push(message);
    const error = errors[sent.length - 1];
    if (error) throw error;
    return ok;
  };
  return { sent, send };
}
const policy = { backoffBase: 0.001 };

describe('retries', () => {
  it.each([down('UNAVAILABLE'), down('DEADLINE_EXCEEDED'), nack('RATE_LIMITED'), nack('INTERNAL_ERROR')])(
    'send the same envelope again after %s',
    async (error) => {
      const client = failing(error, error);
      expect(await retrySend(client, envelope, { policy })).toBe(ok);
      expect(client.sent).toEqual([envelope, envelope, envelope]);
    },
  );

  it.each([
    nack('UNAUTHENTICATED'),
    down('UNAUTHENTICATED'),
    nack('FORBIDDEN'),
    nack('INVALID_ENVELOPE'),
    down('PERMISSION_DENIED'),
    down('INVALID_ARGUMENT'),
  ])('do not follow %s', async (error) => {
    const client = failing(error);
    await expect(retrySend(client, envelope, { policy })).rejects.toBe(error);
    expect(client.sent).toHaveLength(1);
  });

  it('never follow UNAUTHENTICATED, whatever the policy lists', async () => {
    const client = failing(nack('UNAUTHENTICATED'));
    const retryableCodes = new Set(['UNAUTHENTICATED']);
    await expect(retrySend(client, envelope, { policy: { ...policy, retryableCodes } })).rejects.toThrow();
    expect(client.sent).toHaveLength(1);
  });

  it('end, and say what the last failure was', async () => {
    const last = down('UNAVAILABLE');
    const client = failing(last, last, last, last);
    const error = await retrySend(client, envelope, { policy }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MacpRetryError);
    expect(error).toMatchObject({ cause: last, code: 'UNAVAILABLE' });
    expect(client.sent).toHaveLength(4);
  });
});
