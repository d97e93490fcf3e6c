/** Who may do what over MCP, with real credentials: creators, others, tenants, administrators, scopes; and retries. */
import { describe, expect, it } from 'vitest';
import { tokensEnv } from '../kit/tokens.js';
import { B2, O1 } from './support/examples.js';
import { secretIn, useWorld } from './support/world.js';

const world = await useWorld({
  env: tokensEnv({
    'alice-token': { sender: 'alice' },
    'bob-token': { sender: 'bob' },
    'foreign-token': { sender: 'alice', tenant: 'elsewhere' },
    'reader-token': { sender: 'reader', scopes: ['handoff:read'] },
    'admin-token': { sender: 'admin', scopes: ['handoff:read', 'operation:create', 'handoff:admin'] },
  }),
});
const create = (token = 'alice-token', over: object = {}) =>
  world.tool(token, 'create_operation_handoff', { ...O1(), ...over });
const get = async (token: string, operationId: string, secret?: string) =>
  (await world.tool(token, 'get_operation_status', { operationId, ...(secret !== undefined && { secret }) }))
    .data;

describe('principals', () => {
  it('creators and administrators of the tenant see it; others, and the same name elsewhere, do not', async () => {
    const { data } = await create();
    expect((await get('alice-token', data.id)).status).toBe('pending_user_action');
    expect((await get('admin-token', data.id)).status).toBe('pending_user_action');
    for (const token of ['bob-token', 'foreign-token', 'reader-token'])
      expect((await get(token, data.id)).errorCode, token).toBe('OPERATION_NOT_FOUND');
  });

  it('whoever brings the secret sees everything but the URL, within the tenant', async () => {
    const { data } = await create();
    const secret = secretIn(data.operationUrl);
    const full = await get('bob-token', data.id, secret);
    expect(full.steps[0].txRequest.data).toBe('0xa9059cbb');
    expect(JSON.stringify(full)).not.toContain(secret);
    expect((await get('foreign-token', data.id, secret)).errorCode).toBe('OPERATION_NOT_FOUND');
    expect((await get('bob-token', data.id, 'x'.repeat(43))).errorCode).toBe('OPERATION_NOT_FOUND');
    const cancelled = await world.tool('bob-token', 'cancel_operation_handoff', {
      operationId: data.id,
      secret,
    });
    expect(cancelled.data).toMatchObject({
      status: 'cancelled',
      effect: 'none',
      reasonCode: 'CANCELLED',
      events: [{ type: 'created' }, { type: 'closing', by: 'secret' }],
    });
  });

  it('a credential without the scope is refused', async () => {
    expect((await create('reader-token')).data.errorCode).toBe('FORBIDDEN');
  });
});

describe('retries', () => {
  it.each(['job\n7', '日本'.repeat(50), '\ud800'])(
    'take any text as idempotency key: %j',
    async (idempotencyKey) => {
      const first = await create('alice-token', { idempotencyKey });
      const again = await create('alice-token', { idempotencyKey });
      expect(again.data).toMatchObject({ id: first.data.id, replayed: true });
    },
  );

  it('with an idempotency key make one record', async () => {
    const first = await create('alice-token', { idempotencyKey: 'k1' });
    const again = await create('alice-token', { idempotencyKey: 'k1' });
    expect(again.data).toMatchObject({ id: first.data.id, replayed: true });
    expect((await create('alice-token', { idempotencyKey: 'k1', chainId: 5 })).data.errorCode).toBe(
      'CONFLICT',
    );
    expect((await create('bob-token', { idempotencyKey: 'k1' })).data.id).not.toBe(first.data.id);
    const bundle = { network: 'n', chainId: 1, bundle: B2(), idempotencyKey: 'k1' };
    const [one, two] = [
      await world.tool('alice-token', 'create_xdala_bundle_deploy_handoff', bundle),
      await world.tool('alice-token', 'create_xdala_bundle_deploy_handoff', bundle),
    ];
    expect(two.data.handle).toBe(one.data.handle);
  });
});
