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
const nack = (code: string, retryAfterMs?: number) =>
  new MacpAckError({
    code,
    message: '',
    sessionId: 's',
    messageId: 'm',
    reasons: [],
    denials: [],
    retryAfterMs,
  });
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
const policy = { backoffBase: 0.001, backoffMax: 0.001 };

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

  it('keep the wait that the runtime asks for', async () => {
    const client = failing(nack('RATE_LIMITED', 120));
    const began = performance.now();
    await retrySend(client, envelope, { policy });
    expect(performance.now() - began).toBeGreaterThanOrEqual(118);
    expect(client.sent).toHaveLength(2);
  });

  it.each([
    ['the deadline', { deadlineMs: 5_000 }],
    ['the policy', { policy: { ...policy, longestWait: 10 } }],
  ])('do not begin a wait that is longer than %s, and say how long it would be', async (_, options) => {
    const client = failing(nack('RATE_LIMITED', 58_000));
    const error = await retrySend(client, envelope, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'MacpRetryError',
      macpCode: 'RATE_LIMITED',
      retryAfterMs: 58_000,
      sessionId: 's',
      messageId: 'm',
    });
    expect(client.sent).toHaveLength(1);
  });

  it('share one deadline: each attempt has what is left', async () => {
    const given: (number | undefined)[] = [];
    const client = {
      async send(_: Envelope, options: { deadlineMs?: number | undefined } = {}): Promise<Ack> {
        given.push(options.deadlineMs);
        // As a server that takes 40 ms to fail.
        await new Promise((resolve) => setTimeout(resolve, 40));
        throw down('UNAVAILABLE');
      },
    };
    const error = await retrySend(client, envelope, {
      deadlineMs: 100,
      policy: { ...policy, maxRetries: 99 },
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MacpTimeoutError', cause: { code: 'UNAVAILABLE' } });
    expect(given[0]).toBeLessThanOrEqual(100);
    expect(given.length).toBeLessThanOrEqual(3);
    for (const [index, ms] of given.entries()) expect(ms).toBeLessThanOrEqual(100 - index * 38);
  });

  it('give one attempt as long as the policy says', async () => {
    const given: (number | undefined)[] = [];
    const send = async (_: Envelope, options: { deadlineMs?: number | undefined } = {}) => {
      given.push(options.deadlineMs);
      return ok;
    };
    await retrySend({ send }, envelope, { policy: { ...policy, attemptTimeout: 0.2 } });
    await retrySend({ send }, envelope, { policy: { ...policy, attemptTimeout: 0.2 }, deadlineMs: 50 });
    await retrySend({ send }, envelope, {});
    expect(given).toEqual([200, 50, undefined]);
  });

  it('end, and say what the last failure was', async () => {
    const last = down('UNAVAILABLE');
    const client = failing(last, last, last, last);
    const error = await retrySend(client, envelope, { policy }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MacpRetryError);
    expect(error).toMatchObject({ cause: last, code: 'UNAVAILABLE' });
    expect(client.sent).toHaveLength(4);
  });

  it('of many that were too many go on one after another, and end without an error', async () => {
    // One place every 20 ms, as a window that slides gives them back.
    let free = 0;
    let asked = 0;
    const order: string[] = [];
    const send = async ({ messageId }: Envelope) => {
      asked++;
      const now = performance.now();
      if (now < free) throw nack('RATE_LIMITED', Math.ceil(free - now));
      free = now + 20;
      order.push(messageId);
      return ok;
    };
    const client = { send };
    const ids = Array.from({ length: 20 }, (_, n) => String(n));
    await Promise.all(ids.map((messageId) => retrySend(client, { ...envelope, messageId })));
    expect(order).toEqual(ids);
    // All at once, then each one too early and in time.
    expect(asked).toBeLessThanOrEqual(20 + 2 * 19);
    asked = 0;
    await retrySend(client, envelope);
    expect(asked).toBeLessThanOrEqual(2);
  });

  it('in a line are given up at the deadline, or by the signal, and leave their place to the next', async () => {
    let free = performance.now() + 300;
    const client = {
      send: async () => {
        const left = free - performance.now();
        if (left > 0) throw nack('RATE_LIMITED', Math.ceil(left));
        return ok;
      },
    };
    const giveUp = new AbortController();
    const all = [
      retrySend(client, envelope),
      retrySend(client, envelope, { signal: giveUp.signal }),
      retrySend(client, envelope),
    ];
    setTimeout(() => giveUp.abort(), 50);
    const [first, second, third] = await Promise.allSettled(all);
    expect([first, third]).toMatchObject([{ value: ok }, { value: ok }]);
    expect(second).toMatchObject({ status: 'rejected' });
    free = performance.now() + 200;
    const tooShort = retrySend(client, envelope, { deadlineMs: 50 });
    await expect(tooShort).rejects.toThrow('which is too late');
    expect(await retrySend(client, envelope)).toBe(ok);
  });
});
