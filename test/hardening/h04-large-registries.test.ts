/**
 * What administrators register is bounded in number, bytes and rate, and is given out in many turns of the loop: one tenant's list held
 * every tenant for as long as it took to write.
 */
import type { NewPolicy } from '@handover/core';
import { methods } from '@handover/wire';
import { afterEach, describe, expect, it } from 'vitest';
import { eventWriter } from '../../packages/server/src/doors/http/binding/watch.js';
import { createRpcs } from '../../packages/server/src/services/macp/rpc/rpcs.js';
import { verifies } from '../conformance/verifies.js';
import { NO_RATE_LIMITS } from '../kit/no-rate-limits.js';
import { openDoors } from './support/doors.js';
import { turnsOf } from './support/turns.js';

const DECISION = 'macp.mode.decision.v1';
const LARGE = 60_000;

let doors: Awaited<ReturnType<typeof openDoors>> | undefined;
afterEach(() => doors?.close());

async function opened(env: Readonly<Record<string, string>> = NO_RATE_LIMITS) {
  doors = await openDoors({ env });
  const admin = doors.principal('root');
  const register = (policyId: string, bytes = 0) =>
    opened_.services.registries.registerPolicy(admin, policy(policyId, bytes));
  const opened_ = doors;
  return { doors: opened_, register, admin };
}

const policy = (policyId: string, bytes: number): NewPolicy => ({
  policyId,
  mode: DECISION,
  description: '',
  schemaVersion: 3,
  rules: { _note: 'x'.repeat(bytes) },
});

const ask = (url: string, method: string, body: object) =>
  fetch(new URL(`/macp/v1/${method}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer root' },
    body: JSON.stringify(body),
  });

describe('hardening:H4 registries', () => {
  it('are changed no faster than messages are sent, whatever the change', async () => {
    const { doors } = await opened({ MACP_MESSAGE_LIMIT_PER_MINUTE: '2' });
    const change = (method: string, body: object) => ask(doors.http, method, body);
    const descriptor = { mode: 'ext.x', mode_version: '1', message_types: ['Commitment'] };
    expect((await change('UnregisterPolicy', { policy_id: 'none' })).status).toBe(200);
    expect(
      (
        await change('RegisterPolicy', {
          policy_descriptor: { policy_id: 'p', mode: '*', schema_version: 3 },
        })
      ).status,
    ).toBe(200);
    for (const [method, body] of [
      ['RegisterPolicy', { policy_descriptor: { policy_id: 'q', mode: '*', schema_version: 3 } }],
      ['UnregisterPolicy', { policy_id: 'p' }],
      ['RegisterExtMode', { mode_descriptor: { ...descriptor, terminal_message_types: ['Commitment'] } }],
      ['UnregisterExtMode', { mode: 'ext.x' }],
      ['PromoteMode', { mode: 'ext.x' }],
    ] as const) {
      const refused = await change(method, body);
      expect([method, refused.status, refused.headers.get('retry-after')]).toEqual([
        method,
        429,
        expect.any(String),
      ]);
    }
    const overGrpc = await doors.client('root').ask('unregisterPolicy', { policyId: 'p' });
    expect(overGrpc).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it(`${verifies('macp-2026:13:bounds')}hold so many policies, and so many bytes of them; there is room again when one goes`, async () => {
    const { doors, register, admin } = await opened();
    let taken = 0;
    while (taken < 200 && (await register(`p${taken}`, LARGE)) === undefined) taken += 1;
    expect(taken).toBeGreaterThan(60);
    expect(taken * LARGE).toBeLessThan(4_194_304);
    expect(await register('more', LARGE)).toMatchObject({
      message: expect.stringContaining('4194304 bytes'),
    });
    await doors.services.registries.unregisterPolicy(admin, 'p0');
    expect(await register('more', LARGE)).toBeUndefined();
  });

  it('are listed in many turns, and told once for all who watch', async () => {
    const { doors, register } = await opened();
    for (let at = 0; at < 40; at++) expect(await register(`p${at}`, LARGE)).toBeUndefined();
    const list = createRpcs(doors.services).unary.listPolicies;
    const parts: Uint8Array[] = [];
    const request = { $typeName: methods.listPolicies.input.typeName, mode: '' };
    const { turns } = await turnsOf(
      Promise.resolve(list.answer(doors.principal('alice'), request as never, (part) => parts.push(part))),
    );
    expect(parts.length).toBeGreaterThan(40);
    expect(turns).toBeGreaterThan(30);
    const text = await (await ask(doors.http, 'ListPolicies', {})).json();
    expect(text.descriptors).toHaveLength(parts.length);
    expect(text.descriptors.at(-1).rules).toBeTypeOf('object');

    const watch = createRpcs(doors.services).watches.watchPolicies;
    const write = eventWriter(watch);
    const now = await doors.services.registries.allPolicies('default');
    const first = await turnsOf(write(now));
    expect(first.turns).toBeGreaterThan(15);
    // Whoever watches gets the same bytes; after a change only what is new is written.
    expect(await write(now)).toBe(first.value);
    expect(await register('new')).toBeUndefined();
    const then = await doors.services.registries.allPolicies('default');
    expect(watch.parts?.(then).items.filter((item) => !watch.parts?.(now).items.includes(item))).toHaveLength(
      1,
    );
    const event = JSON.parse((await write(then)).toString().slice('data: '.length));
    expect(event.descriptors).toHaveLength(parts.length + 1);
    expect(event.observed_at_unix_ms).toBeGreaterThan(0);
  });
});
