import { status } from '@grpc/grpc-js';
import { encodeStreamRequest } from '@handover/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WITH_CONTROLS } from '../../../../../../test/kit/grpc-client.js';
import { type GrpcStream, idOf } from '../../../../../../test/kit/grpc-stream.js';
import {
  accept,
  commitment,
  context,
  newSession,
  offer,
  sessionStart,
  signal,
} from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

let world: World;
let id: string;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  id = newSession();
});

const started = async () => {
  await world.client('alice').send(sessionStart(id));
};
/** Sends one more envelope over a unary call. The stream delivers it last, so all earlier ones have arrived by then. */
const settled = async (stream: GrpcStream, messageId: string) => {
  await world.client('alice').send(context(id, messageId));
  while (!stream.frames.some((frame) => idOf(frame) === messageId)) await stream.next();
  return stream.frames.map(idOf);
};

describe('opening', () => {
  it('needs a credential, before any frame', async () => {
    for (const agent of [undefined, 'nobody']) {
      const { code } = await world.client(agent).stream().status;
      expect(code).toBe(status.UNAUTHENTICATED);
    }
  });

  it('says that it is open before anything happens', async () => {
    const stream = world.client('alice').stream();
    await stream.opened;
    stream.halfClose();
    expect((await stream.status).code).toBe(status.OK);
  });
});

describe('envelope frames', () => {
  it('start a session and bring back everything that is accepted, exactly once', async () => {
    const stream = world.client('alice').stream();
    stream.send(sessionStart(id)).send(offer(id)).send(context(id, 'c1'));
    expect(await stream.ids(3)).toEqual(['start', 'offer-h1', 'c1']);
    await world.client('bob').send(accept(id));
    expect(await stream.ids(1)).toEqual(['accept-h1']);
    const [first] = stream.frames;
    expect(first?.kind === 'envelope' && first.envelope.sender).toBe('alice');
  });

  it('are live from the first of them, not from the beginning', async () => {
    await started();
    await world.client('alice').send(offer(id));
    const stream = world.client('alice').stream().send(context(id, 'c1'));
    expect(await stream.ids(1)).toEqual(['c1']);
    expect(await settled(stream, 'last')).toEqual(['c1', 'last']);
  });

  it('yield nothing for a duplicate, and are live after it', async () => {
    await started();
    await world.client('alice').send(offer(id));
    const stream = world.client('alice').stream().send(offer(id));
    await stream.opened;
    stream.send(context(id, 'c1'));
    expect(await stream.ids(1)).toEqual(['c1']);
  });

  it('are refused in a frame that names the envelope, and the stream goes on', async () => {
    await started();
    const stream = world.client('alice').stream();
    stream.send(context(id, 'too-early')).send(offer(id));
    const [error] = await stream.take(1);
    expect(error).toMatchObject({
      kind: 'error',
      error: { code: 'INVALID_ENVELOPE', sessionId: id, messageId: 'too-early', details: new Uint8Array(0) },
    });
    expect(await stream.ids(1)).toEqual(['offer-h1']);
  });

  it('are refused in a frame in every state and for every reason but a foreign sender', async () => {
    await started();
    await world.client('alice').send(offer(id));
    await world.client('bob').send(accept(id));
    await world.client('alice').send(commitment(id));
    const stream = world.client('alice').stream();
    stream
      .send(context(id, 'late'))
      .send(sessionStart(id, ['alice', 'carol']))
      .send(sessionStart(id));
    stream.send({ ...offer(id), macpVersion: '9' }).send({ ...offer(id), mode: 'unknown' });
    expect(await stream.ids(4)).toEqual([
      'error SESSION_NOT_OPEN',
      'error SESSION_ALREADY_EXISTS',
      'error UNSUPPORTED_PROTOCOL_VERSION',
      'error INVALID_ENVELOPE',
    ]);
    stream.halfClose();
    expect((await stream.status).code).toBe(status.OK);
  });

  it('are refused in a frame by the policy of the session', async () => {
    const policyDescriptor = {
      policyId: 'policy.designated',
      mode: 'macp.mode.handoff.v1',
      schemaVersion: 1,
      rules: '{"commitment":{"authority":"designated_role","designated_roles":["carol"]}}',
    };
    await world.client('admin').call('registerPolicy', { policyDescriptor });
    await world
      .client('alice')
      .send(sessionStart(id, ['alice', 'bob'], {}, { policyVersion: 'policy.designated' }));
    await world.client('alice').send(offer(id));
    await world.client('bob').send(accept(id));
    const stream = world.client('alice').stream().send(commitment(id));
    expect(await stream.ids(1)).toEqual(['error FORBIDDEN']);
    stream.send(context(id, 'c1'));
    expect(await stream.ids(1)).toEqual(['c1']);
  });

  it('without a session are refused in a frame and bind nothing', async () => {
    const stream = world.client('alice').stream().send(signal('s1')).send(sessionStart(id));
    const [error] = await stream.take(1);
    expect(error).toMatchObject({ kind: 'error', error: { code: 'INVALID_ENVELOPE', messageId: 's1' } });
    expect(await stream.ids(1)).toEqual(['start']);
  });

  it('of another sender end the stream', async () => {
    await started();
    const stream = world
      .client('alice')
      .stream()
      .send({ ...offer(id), sender: 'bob' });
    expect((await stream.status).code).toBe(status.UNAUTHENTICATED);
  });
});

describe('subscribe frames', () => {
  it('replay from after an ordinal, then go on live', async () => {
    await started();
    await world.client('alice').send(offer(id));
    const whole = world.client('bob').stream().subscribe(id);
    const part = world.client('watcher').stream().subscribe(id, 1);
    const live = world.client('alice').stream().subscribe(id, 1_000);
    await whole.ids(2);
    await part.ids(1);
    await live.opened;
    await world.client('alice').send(context(id, 'c1'));
    expect(await settled(whole, 'c2')).toEqual(['start', 'offer-h1', 'c1', 'c2']);
    expect(await settled(part, 'c3')).toEqual(['offer-h1', 'c1', 'c2', 'c3']);
    expect((await settled(live, 'c4')).at(-1)).toBe('c4');
  });

  it('replay again when they come again', async () => {
    await started();
    const stream = world.client('bob').stream().subscribe(id);
    expect(await stream.ids(1)).toEqual(['start']);
    await world.client('alice').send(offer(id));
    expect(await stream.ids(1)).toEqual(['offer-h1']);
    stream.subscribe(id, 1);
    expect(await stream.ids(1)).toEqual(['offer-h1']);
    expect(await settled(stream, 'c1')).toEqual(['start', 'offer-h1', 'offer-h1', 'c1']);
  });

  it('give a sender the history it has not seen', async () => {
    await started();
    const stream = world.client('alice').stream().send(offer(id));
    expect(await stream.ids(1)).toEqual(['offer-h1']);
    stream.subscribe(id);
    expect(await stream.ids(2)).toEqual(['start', 'offer-h1']);
  });

  it('of a session that does not exist end the stream; of another tenant as well', async () => {
    const unknown = world.client('alice').stream().subscribe(newSession());
    expect((await unknown.status).code).toBe(status.NOT_FOUND);
    await started();
    const alien = world.client('alien').stream().subscribe(id);
    expect((await alien.status).code).toBe(status.NOT_FOUND);
  });

  it('deliver controls to those who ask, without an ordinal, and not the expiry', async () => {
    await started();
    const stream = world.client('bob').stream(undefined, WITH_CONTROLS).subscribe(id);
    const plain = world.client('bob').stream().subscribe(id);
    await world.client('alice').call('suspendSession', { sessionId: id, reason: '' });
    await world.client('alice').call('resumeSession', { sessionId: id, reason: '' });
    expect(await stream.ids(3)).toEqual(['start', 'runtime:SessionSuspend:2', 'runtime:SessionResume:3']);
    world.clock.now += 120_000;
    await world.client('alice').call('getSession', { sessionId: id });
    const again = world.client('bob').stream(undefined, WITH_CONTROLS).subscribe(id, 1).halfClose();
    expect((await again.status).code).toBe(status.OK);
    expect(again.frames.map(idOf)).toEqual(['runtime:SessionSuspend:2', 'runtime:SessionResume:3']);
    expect(stream.frames.length).toBe(3);
    expect(plain.frames.map(idOf)).toEqual(['start']);
  });

  it('stay open when the session ends', async () => {
    await started();
    const stream = world.client('bob').stream().subscribe(id);
    await stream.ids(1);
    await world.client('alice').call('cancelSession', { sessionId: id, reason: '' });
    stream.subscribe(id, 0);
    expect(await stream.ids(1)).toEqual(['start']);
  });
});

describe('frames that end the stream', () => {
  const both = () => encodeStreamRequest({ envelope: offer(id), subscribeSessionId: id, afterSequence: 0 });
  const neither = () => encodeStreamRequest({ subscribeSessionId: '', afterSequence: 3 });

  it('hold both, neither, or no protobuf, first or later', async () => {
    await started();
    for (const bytes of [both(), neither(), Uint8Array.of(0x0a, 0x7f, 0x01)]) {
      const first = world.client('alice').stream().raw(bytes);
      expect((await first.status).code).toBe(status.INVALID_ARGUMENT);
      const later = world.client('alice').stream().subscribe(id);
      await later.ids(1);
      later.raw(bytes);
      expect((await later.status).code).toBe(status.INVALID_ARGUMENT);
    }
  });

  it('belong to another session', async () => {
    await started();
    const other = newSession();
    await world.client('alice').send(sessionStart(other));
    const envelope = world.client('alice').stream().subscribe(id).send(offer(other));
    expect((await envelope.status).code).toBe(status.INVALID_ARGUMENT);
    const subscribe = world.client('alice').stream().send(offer(id)).subscribe(other);
    expect((await subscribe.status).code).toBe(status.INVALID_ARGUMENT);
    expect(subscribe.frames.map(idOf)).toEqual(['offer-h1']);
  });

  it('are too large for the transport', async () => {
    await started();
    const stream = world
      .client('alice')
      .stream()
      .send(context(id, 'huge', 1_200_000));
    expect((await stream.status).code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

describe('an outsider', () => {
  it('never receives an entry, whatever it sends', async () => {
    await started();
    const stream = world.client('mallory').stream();
    stream
      .send(offer(id, 'evil'))
      .subscribe(id)
      .send(sessionStart(id, ['mallory', 'bob']))
      .subscribe(id, 0);
    const frames = await stream.take(4);
    expect(frames.map(idOf)).toEqual([
      'error FORBIDDEN',
      'error FORBIDDEN',
      'error SESSION_ALREADY_EXISTS',
      'error FORBIDDEN',
    ]);
    expect(frames[0]).toMatchObject({ error: { sessionId: id, messageId: 'offer-evil' } });
    expect(frames[1]).toMatchObject({ error: { sessionId: id, messageId: '' } });
    const member = world.client('bob').stream().subscribe(id);
    await world.client('alice').send(offer(id));
    await member.ids(2);
    stream.halfClose();
    expect((await stream.status).code).toBe(status.OK);
    expect(stream.frames.length).toBe(4);
    expect(world.deps.engine.subscribers).toBeGreaterThan(0);
  });
});

describe('half-close', () => {
  it('delivers what was accepted and ends OK', async () => {
    const stream = world.client('alice').stream();
    stream.send(sessionStart(id)).send(offer(id));
    for (let n = 0; n < 50; n++) stream.send(context(id, `c${n}`));
    stream.halfClose();
    expect((await stream.status).code).toBe(status.OK);
    const contexts = Array.from({ length: 50 }, (_, n) => `c${n}`);
    expect(stream.frames.map(idOf)).toEqual(['start', 'offer-h1', ...contexts]);
  });

  it('reads a whole history when it follows a subscribe', async () => {
    await started();
    await world.client('alice').send(offer(id));
    const stream = world.client('bob').stream().subscribe(id).halfClose();
    expect((await stream.status).code).toBe(status.OK);
    expect(stream.frames.map(idOf)).toEqual(['start', 'offer-h1']);
  });
});
