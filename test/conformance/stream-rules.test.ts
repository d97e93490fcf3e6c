/** StreamSession: what comes, in which order, and which errors end it. */
import { randomUUID } from 'node:crypto';
import { HANDOFF_MODE, payloadKind } from '@handover/core';
import { encodeStreamRequest, type pb } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codec } from '../kit/codec.js';
import { accept, commit, context, envelope, envelopeOf, offer, start } from '../kit/envelopes.js';
import { GrpcClient, WITH_CONTROLS } from '../kit/grpc-client.js';
import { TestServer } from '../kit/test-server.js';
import { until } from '../kit/until.js';
import { verifies } from './verifies.js';
import { denialsIn } from './wire/denials.js';
import { SignalWatch } from './wire/signal-watch.js';

const TOKENS = ['owner', 'a', 'b', 'mallory', 'watcher'].map((sender) => ({
  token: sender,
  sender,
  is_observer: sender === 'watcher',
}));

describe('StreamSession', () => {
  let server: TestServer;
  let client: GrpcClient;
  beforeAll(async () => {
    server = await TestServer.start({
      env: { MACP_ALLOW_INSECURE: '1', MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS) },
    });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  const opened = async () => {
    const id = randomUUID();
    expect((await client.send(start(id))).ok).toBe(true);
    return id;
  };

  it(`${verifies('message:11:published', 'decision:controls:streamed')}delivers in the order of acceptance, controls in their place`, async () => {
    const id = await opened();
    const stream = client.stream('a', WITH_CONTROLS).subscribe(id);
    await stream.atLeast(1);
    await client.send(offer(id, 'h1', 'a'));
    await Promise.all(Array.from({ length: 20 }, (_, n) => client.send(context(id, 'h1', `context ${n}`))));
    await client.ask('suspendSession', { sessionId: id, reason: '' }, 'owner');
    await client.ask('resumeSession', { sessionId: id, reason: '' }, 'owner');
    await client.send(accept(id, 'h1', 'a'));
    await client.ask('cancelSession', { sessionId: id, reason: '' }, 'owner');
    await stream.atLeast(26);
    const types = stream.envelopes.map(({ messageType }) => messageType);
    expect(types.slice(22)).toEqual(['SessionSuspend', 'SessionResume', 'HandoffAccept', 'SessionCancel']);
    expect(stream.envelopes).toEqual(await client.history(id, 'b'));
    expect(stream.ended).toBeUndefined();
    stream.cancel();
  });

  describe(`${verifies('decision:stream:terminating')}ends`, () => {
    it('with UNAUTHENTICATED for an unknown credential, and for none', async () => {
      expect(await client.stream('nobody').subscribe(randomUUID()).statusName()).toBe('UNAUTHENTICATED');
      expect(await client.stream(undefined).subscribe(randomUUID()).statusName()).toBe('UNAUTHENTICATED');
    });

    it('with UNAUTHENTICATED for an envelope of somebody else', async () => {
      const id = await opened();
      expect(
        await client
          .stream('a')
          .send(offer(id, 'h1', 'a'))
          .statusName(),
      ).toBe('UNAUTHENTICATED');
    });

    it('with NOT_FOUND for a subscription to an unknown session', async () => {
      expect(await client.stream('a').subscribe(randomUUID()).statusName()).toBe('NOT_FOUND');
    });

    it('with INVALID_ARGUMENT for a frame of both, of neither, and of another session', async () => {
      const id = await opened();
      const both = client.stream('owner');
      both.call.write(
        encodeStreamRequest({ envelope: offer(id, 'h1', 'a'), subscribeSessionId: id, afterSequence: 0 }),
      );
      const neither = client.stream('owner');
      neither.call.write(new Uint8Array(0));
      const other = client
        .stream('owner')
        .subscribe(id)
        .subscribe(await opened());
      for (const stream of [both, neither, other]) expect(await stream.statusName()).toBe('INVALID_ARGUMENT');
    });
  });

  it(`${verifies('decision:stream:inline')}says every other refusal inline, with code and message id, and goes on`, async () => {
    const id = await opened();
    const stream = client.stream('owner');
    const bad = [
      offer(id, '', 'a'),
      { ...offer(id, 'h1', 'a'), mode: 'ext.other.v1' },
      { ...offer(id, 'h1', 'a'), macpVersion: '2.0' },
      { ...offer(id, 'h1', 'a'), messageId: 'runtime:mine' },
      accept(id, 'h1', 'owner'),
      start(id),
      { ...start(id), messageId: 'other', payload: new Uint8Array([1, 2, 3]) },
      { ...offer(id, 'h1', 'a'), payload: new Uint8Array(1_048_577) },
    ];
    for (const envelope of bad) stream.send(envelope);
    const good = offer(id, 'h1', 'a');
    stream.send(good);
    const frames = await stream.atLeast(bad.length + 1);
    const said = frames.map((frame) =>
      frame.kind === 'error' ? [frame.error.code, frame.error.messageId] : frame.kind,
    );
    const codes = [
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
      'UNSUPPORTED_PROTOCOL_VERSION',
      'INVALID_ENVELOPE',
      'INVALID_ENVELOPE',
      'SESSION_ALREADY_EXISTS',
      'INVALID_ENVELOPE',
      'PAYLOAD_TOO_LARGE',
    ];
    expect(said).toEqual([...codes.map((code, index) => [code, bad[index]?.messageId]), 'envelope']);
    expect(stream.envelopes.map(({ messageId }) => messageId)).toEqual([good.messageId]);
    stream.cancel();
  });

  it(`${verifies('macp-2026:3.4:outsider')}says FORBIDDEN inline to an outsider, and then delivers nothing`, async () => {
    const id = await opened();
    const stream = client
      .stream('mallory')
      .subscribe(id)
      .send(offer(id, 'h9', 'a', 'mallory'));
    await stream.atLeast(2);
    await client.send(offer(id, 'h1', 'a'));
    stream.call.end();
    expect(await stream.statusName()).toBe('OK');
    expect(stream.errors).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(stream.envelopes).toEqual([]);
  });

  it(`${verifies('macp-2026:2.3:inline')}says why a policy denies as the Ack says it`, async () => {
    const id = randomUUID();
    const mode = 'macp.mode.decision.v1';
    const started = { ...start(id, 'owner', { policyVersion: 'policy.std.unanimous' }), mode };
    expect((await client.send(started)).error).toBeUndefined();
    const proposal = { proposalId: 'p', option: 'o', rationale: '', supportingData: new Uint8Array() };
    const payload = codec.encode(payloadKind(mode, 'Proposal'), proposal);
    expect((await client.send(envelopeOf(id, 'a', 'Proposal', payload, { mode }))).error).toBeUndefined();
    const commitment = { ...commit(id, 'owner', { action: 'decision.selected' }), mode };
    const { error } = await client.send(commitment);
    expect(error?.code).toBe('POLICY_DENIED');
    const stream = client.stream('owner').send({ ...commitment, messageId: 'again' });
    const [frame] = await stream.atLeast(1);
    if (frame?.kind !== 'error') throw new Error(`${frame?.kind} in place of an error`);
    const { details, messageId } = frame.error;
    expect([messageId, Buffer.from(details)]).toEqual(['again', Buffer.from(error?.details ?? [])]);
    const denials = denialsIn(details)?.map((denial) => denial.code);
    expect(denials).toEqual(['quorum_not_met', 'no_votes']);
    stream.cancel();
  });

  it(`${verifies('macp-2026:3.4:observer')}is for the initiator, participants and observers`, async () => {
    const id = await opened();
    for (const name of ['owner', 'a', 'b', 'watcher']) {
      const stream = client.stream(name).subscribe(id).halfClose();
      expect([name, await stream.statusName(), stream.errors]).toEqual([name, 'OK', []]);
      expect(stream.envelopes.map(({ messageType }) => messageType)).toEqual(['SessionStart']);
    }
  });

  it(`${verifies('macp-2026:3.4:beyond-end')}gives only what comes to who is beyond the end`, async () => {
    const id = await opened();
    await client.send(offer(id, 'h1', 'a'));
    const stream = client.stream('a').subscribe(id, 99);
    // When it began to listen it does not say: something is said until it hears it.
    await until(async () => {
      await client.send(context(id, 'h1'));
      return stream.envelopes.length > 0;
    });
    const history = await client.history(id, 'a');
    const begin = history.findIndex(({ messageId }) => messageId === stream.envelopes[0]?.messageId);
    expect(begin).toBeGreaterThan(1);
    expect(stream.envelopes).toEqual(history.slice(begin, begin + stream.envelopes.length));
    stream.cancel();
  });

  it(`${verifies('macp-2026:3.4:no-answer')}tells what was accepted once, and a duplicate not at all`, async () => {
    const id = await opened();
    const said = offer(id, 'h1', 'a');
    const last = context(id, 'h1');
    const stream = client
      .stream('owner')
      .send(said)
      .send(said)
      .send({ ...said, timestampUnixMs: 1 })
      .send(last);
    await stream.atLeast(2);
    stream.halfClose();
    expect(await stream.statusName()).toBe('OK');
    expect(
      stream.frames.map((frame) => (frame.kind === 'envelope' ? frame.envelope.messageId : frame)),
    ).toEqual([said.messageId, last.messageId]);
  });

  it('stays open after the end of the session', async () => {
    const id = await opened();
    const stream = client.stream('a').subscribe(id);
    for (const message of [offer(id, 'h1', 'a'), accept(id, 'h1', 'a'), commit(id)])
      await client.send(message);
    await stream.atLeast(4);
    await client.send(start(randomUUID()));
    expect(stream.ended).toBeUndefined();
    stream.call.end();
    expect(await stream.statusName()).toBe('OK');
  });

  it(`${verifies('decision:progress:delivery')}gives Progress that names a session to members and observers only`, async () => {
    const id = await opened();
    const watches = new Map(
      ['owner', 'b', 'watcher', 'mallory'].map((name) => [name, new SignalWatch(client, name)]),
    );
    for (const watch of watches.values()) await watch.open();
    const payload = { progressToken: 't', progress: 1, total: 2, message: 'half', targetMessageId: '' };
    expect((await client.send(envelope(id, 'a', 'Progress', payload, { mode: HANDOFF_MODE }))).ok).toBe(true);
    expect(
      (await client.send(envelope('', 'a', 'Progress', { ...payload, message: 'for all' }, { mode: '' }))).ok,
    ).toBe(true);
    for (const watch of watches.values()) await watch.until(({ sessionId }: pb.Envelope) => sessionId === '');
    const seen = [...watches].map(([name, watch]) => [
      name,
      watch.received.map(({ sessionId }) => sessionId),
    ]);
    expect(seen).toEqual([
      ['owner', [id, '']],
      ['b', [id, '']],
      ['watcher', [id, '']],
      ['mallory', ['']],
    ]);
    for (const watch of watches.values()) watch.close();
  });
});
