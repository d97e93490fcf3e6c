import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '../../../../../../test/kit/refused.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

const descriptor = {
  mode: 'ext.review.v1',
  modeVersion: '2.0',
  title: 'Review',
  description: 'Somebody looks at it',
  determinismClass: 'semantic',
  participantModel: 'peer',
  messageTypes: ['Remark', 'Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: { Remark: 'https://example.test/remark' },
};

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('registers a mode, shows it, promotes it and keeps it', async () => {
  const admin = world.client('admin');
  expect(await admin.call('registerExtMode', { modeDescriptor: descriptor })).toMatchObject({
    ok: true,
    error: '',
  });
  const listed = await world.client().call('listExtModes', {});
  expect(listed.modes).toMatchObject([{ mode: 'ext.multi_round.v1' }, descriptor]);
  const { manifest } = await world.client().call('getManifest', {});
  expect(manifest?.supportedModes).toEqual(
    expect.arrayContaining(['ext.review.v1', 'ext.multi_round.v1', 'macp.mode.handoff.v1']),
  );

  const again = await admin.call('registerExtMode', { modeDescriptor: descriptor });
  expect(again).toMatchObject({ ok: false, error: expect.stringContaining('already registered') });

  const promoted = await admin.call('promoteMode', { mode: 'ext.review.v1', promotedModeName: 'review.v1' });
  expect(promoted).toMatchObject({ ok: true, mode: 'review.v1' });
  const left = await world.client().call('listExtModes', {});
  expect(left.modes.map(({ mode }) => mode)).toEqual(['ext.multi_round.v1']);
  expect((await world.client().call('listModes', {})).modes.map(({ mode }) => mode)).toContain('review.v1');
  const kept = await admin.call('unregisterExtMode', { mode: 'review.v1' });
  expect(kept).toMatchObject({ ok: false, error: expect.stringContaining('standards-track') });
});

it('unregisters, and answers what it cannot do', async () => {
  const admin = world.client('admin');
  const mode = 'ext.other.v1';
  await admin.call('registerExtMode', { modeDescriptor: { ...descriptor, mode } });
  expect(await admin.call('unregisterExtMode', { mode })).toMatchObject({ ok: true });
  expect(await admin.call('unregisterExtMode', { mode })).toMatchObject({ ok: false });
  const reserved = await admin.call('registerExtMode', {
    modeDescriptor: { ...descriptor, mode: 'macp.mode.x' },
  });
  expect(reserved).toMatchObject({ ok: false, error: expect.stringContaining('reserved') });
  expect(await admin.call('promoteMode', { mode: 'unknown' })).toMatchObject({ ok: false, mode: '' });
});

it('asks who it is, then whether they may, then for what', async () => {
  const codes = async (agent: string) =>
    Promise.all(
      (['registerExtMode', 'unregisterExtMode', 'promoteMode'] as const).map(
        async (key) => (await refusal(world.client(agent).raw(key, new Uint8Array(0)))).code,
      ),
    );
  expect(new Set(await codes('nobody'))).toEqual(new Set([status.UNAUTHENTICATED]));
  expect(new Set(await codes('alice'))).toEqual(new Set([status.PERMISSION_DENIED]));
  const missing = await refusal(world.client('admin').call('registerExtMode', {}));
  expect(missing.code).toBe(status.INVALID_ARGUMENT);
});
