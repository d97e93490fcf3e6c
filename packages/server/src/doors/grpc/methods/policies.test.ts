import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { refusal } from '../../../../../../test/kit/refused.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

const policy = (policyId: string, rules: string) => ({
  policyDescriptor: {
    policyId,
    mode: 'macp.mode.handoff.v1',
    description: 'for a test',
    rules,
    schemaVersion: 1,
  },
});
const PROFILES = ['policy.std.majority', 'policy.std.supermajority', 'policy.std.unanimous'];
const ANYBODY_COMMITS = '{"commitment":{"authority":"any_participant"}}';

describe('policies', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it(`${verifies('macp-2026:6.6:list')}registers, gives, lists and unregisters`, async () => {
    const admin = world.client('admin');
    expect(await admin.call('registerPolicy', policy('policy.a', ANYBODY_COMMITS))).toMatchObject({
      ok: true,
    });
    expect(await admin.call('registerPolicy', policy('policy.empty', ''))).toMatchObject({ ok: true });
    const again = await admin.call('registerPolicy', policy('policy.a', '{}'));
    expect(again).toMatchObject({ ok: false, error: 'policy policy.a is already registered' });

    const alice = world.client('alice');
    const { policyDescriptor } = await alice.call('getPolicy', { policyId: 'policy.a' });
    expect(policyDescriptor).toMatchObject({
      policyId: 'policy.a',
      rules: ANYBODY_COMMITS,
      schemaVersion: 1,
      registeredAtUnixMs: BigInt(world.clock.now),
    });
    const ids = async (mode: string) =>
      (await alice.call('listPolicies', { mode })).descriptors.map(({ policyId }) => policyId);
    expect(await ids('')).toEqual(['policy.a', 'policy.default', 'policy.empty', ...PROFILES]);
    expect(await ids('ext.other')).toEqual(['policy.default']);

    expect(await admin.call('unregisterPolicy', { policyId: 'policy.a' })).toMatchObject({ ok: true });
    expect(await admin.call('unregisterPolicy', { policyId: 'policy.a' })).toMatchObject({ ok: false });
    expect((await refusal(alice.call('getPolicy', { policyId: 'policy.a' }))).code).toBe(status.NOT_FOUND);
  });

  it('answers rules that cannot be read, and never takes them for none', async () => {
    const admin = world.client('admin');
    for (const [rules, error] of [
      ['not json', 'not JSON'],
      ['[]', 'JSON object'],
      ['{"commitment":{},"commitment":{"authority":"any_participant"}}', 'twice'],
      ['{"__proto__":{"a":1}}', '__proto__'],
      ['{"acceptance":{"implicit_accept_timeout":1}}', 'unknown key'],
    ] as const)
      expect(await admin.call('registerPolicy', policy('policy.bad', rules))).toMatchObject({
        ok: false,
        error: expect.stringMatching(new RegExp(`^INVALID_POLICY_DEFINITION: .*${error}`)),
      });
    expect((await refusal(admin.call('getPolicy', { policyId: 'policy.bad' }))).code).toBe(status.NOT_FOUND);
    const reserved = await admin.call('registerPolicy', policy('policy.default', '{}'));
    expect(reserved).toMatchObject({ ok: false, error: expect.stringContaining('reserved') });
  });

  it('asks who it is, then whether they may, then for what', async () => {
    const keys = ['registerPolicy', 'unregisterPolicy', 'getPolicy', 'listPolicies'] as const;
    for (const key of keys) {
      const { code } = await refusal(world.client().raw(key, new Uint8Array(0)));
      expect(code).toBe(status.UNAUTHENTICATED);
    }
    for (const key of ['registerPolicy', 'unregisterPolicy'] as const) {
      const { code } = await refusal(world.client('alice').raw(key, new Uint8Array(0)));
      expect(code).toBe(status.PERMISSION_DENIED);
    }
    const missing = await refusal(world.client('admin').call('registerPolicy', {}));
    expect(missing.code).toBe(status.INVALID_ARGUMENT);
  });
});

it('refuses to change policies that come from files, before asking who it is', async () => {
  const world = await startWorld({ replace: { policiesFromFiles: true } });
  for (const key of ['registerPolicy', 'unregisterPolicy'] as const) {
    const { code } = await refusal(world.client().raw(key, new Uint8Array(0)));
    expect(code).toBe(status.FAILED_PRECONDITION);
  }
  const { descriptors } = await world.client('alice').call('listPolicies', {});
  expect(descriptors.map(({ policyId }) => policyId)).toEqual(['policy.default', ...PROFILES]);
  await world.close();
});
