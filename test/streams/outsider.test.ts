/** Whatever an outsider calls, at whatever moment: of a session it is not in, not a byte reaches it. */
import { randomUUID } from 'node:crypto';
import { HANDOFF_MODE } from '@handover/core';
import { encodeMessage, methods } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, commit, context, envelope, start } from '../kit/envelopes.js';
import { events } from '../kit/event-client.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { until } from '../kit/until.js';

const CANARY = 'CANARY-51c0';
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

describe('an outsider', () => {
  let server: TestServer;
  let client: GrpcClient;
  beforeAll(async () => {
    const tokens = ['owner', 'a', 'b', 'outsider', `${CANARY}-agent`].map((sender) => ({
      token: sender,
      sender,
    }));
    const other = { token: 'other-tenant', sender: 'owner', tenant: 'two', is_observer: true };
    server = await TestServer.start({
      env: { MACP_ALLOW_INSECURE: '1', MACP_AUTH_TOKENS_JSON: JSON.stringify([...tokens, other]) },
    });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  /** Everything that one caller can open, before and while the session lives, and every byte that came back. */
  function eavesdrop(bearer: string, id: string) {
    const heard: Buffer[] = [];
    const hear = (bytes: Uint8Array | string) => void heard.push(Buffer.from(bytes));
    const closers: (() => void)[] = [];
    for (const key of ['watchSessions', 'watchSignals'] as const) {
      const call = client.watchRaw(key, bearer);
      call.on('data', hear).on('error', (error: Error) => hear(error.message));
      closers.push(() => call.cancel());
    }
    const subscribe = () => {
      const stream = client.stream(bearer).subscribe(id);
      // A stream that was bound by sending must not deliver, either.
      const sender = client.stream(bearer).send(context(id, 'h1', 'x', bearer === 'outsider' ? bearer : ''));
      for (const one of [stream, sender]) {
        one.call.on('data', hear).on('error', (error: Error) => hear(error.message));
        closers.push(() => one.cancel());
      }
    };
    const ask = async () => {
      subscribe();
      for (const key of ['getSession', 'cancelSession', 'suspendSession', 'resumeSession'] as const)
        await client
          .raw(key, encodeMessage(methods.getSession.input, { sessionId: id }), bearer)
          .then(hear, (error: Error) => hear(error.message));
      await client
        .raw('listSessions', new Uint8Array(0), bearer)
        .then(hear, (error: Error) => hear(error.message));
      const headers = { authorization: `Bearer ${bearer}` };
      for (const path of [`/macp/session/${id}`, '/macp/session', '/metrics', '/ready'])
        hear(await (await fetch(`${server.http}${path}`, { headers })).text());
      for await (const _ of events(`${server.http}/macp/session/${id}/events`, headers, hear)) break;
    };
    return {
      heard,
      ask: () => ask().catch((error: Error) => hear(error.message)),
      close: () => {
        for (const close of closers) close();
      },
    };
  }

  it('hears nothing, by stream, watch, list, read, control and events', async () => {
    const id = randomUUID();
    const spies = ['outsider', 'other-tenant'].map((bearer) => eavesdrop(bearer, id));
    const spyAll = () => Promise.all(spies.map((spy) => spy.ask()));
    await spyAll();
    const secretStart = {
      intent: CANARY,
      contextId: CANARY,
      participants: ['owner', 'a', 'b', `${CANARY}-agent`],
      extensions: { [CANARY]: utf8(CANARY) },
      roots: [{ uri: CANARY, name: CANARY }],
    };
    const secretOffer = { handoffId: 'h1', targetParticipant: 'a', scope: CANARY, reason: CANARY };
    const progress = {
      progressToken: CANARY,
      progress: 1,
      total: 1,
      message: CANARY,
      targetMessageId: CANARY,
    };
    const canaryId = (n: number) => ({ messageId: `${CANARY}-${n}` });
    const messages = [
      { ...start(id, 'owner', secretStart), ...canaryId(1) },
      envelope(id, 'owner', 'HandoffOffer', secretOffer, canaryId(2)),
      { ...context(id, 'h1', CANARY), ...canaryId(3) },
      envelope(id, 'a', 'Progress', progress, { mode: HANDOFF_MODE, ...canaryId(4) }),
      { ...accept(id, 'h1', 'a'), ...canaryId(5) },
      { ...commit(id, 'owner', { reason: CANARY, authorityScope: CANARY }), ...canaryId(6) },
    ];
    const member = client.stream('b');
    for (const [index, message] of messages.entries()) {
      expect((await client.send(message)).ok).toBe(true);
      if (index === 0) member.subscribe(id);
      await spyAll();
    }
    await until(() => member.frames.length === messages.length - 1);
    // Whatever is on its way has arrived when a signal, which everybody gets, has.
    const signal = { signalType: 'last', data: new Uint8Array(0), confidence: 0, correlationSessionId: '' };
    await client.send(envelope('', 'owner', 'Signal', signal, { mode: '' }));
    await until(() => Buffer.concat(spies[0]?.heard ?? []).includes('last'));
    for (const spy of spies) {
      const text = Buffer.concat(spy.heard).toString('latin1');
      expect(text.length).toBeGreaterThan(500);
      expect(text).not.toContain(CANARY);
      spy.close();
    }
    expect(Buffer.concat(member.bytes).toString('latin1'), 'a member hears all of it').toContain(CANARY);
    member.cancel();
  });

  it('learns no session of others from lists and watches', async () => {
    const id = randomUUID();
    await client.send(start(id));
    const spy = eavesdrop('outsider', randomUUID());
    await spy.ask();
    const second = randomUUID();
    await client.send(start(second));
    await spy.ask();
    const text = Buffer.concat(spy.heard).toString('latin1');
    expect(text).not.toContain(id);
    expect(text).not.toContain(second);
    spy.close();
  });
});
