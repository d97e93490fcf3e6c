/** Requests without the secret of an operation never lock out the person who has it. */
import { afterAll, describe, expect, it } from 'vitest';
import { Bucket } from '../../packages/server/src/auth/rate-limiter.js';
import { createPageRates } from '../../packages/server/src/doors/pages/page-rates.js';
import { O1 } from '../operations/support/examples.js';
import { openWorld, secretIn, type World } from '../operations/support/world.js';

const WRONG = 'w'.repeat(43);

/** The limits as they are by default, except for the one that a test is about. */
const worlds: World[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.close())));

async function newOperation(env: Readonly<Record<string, string>> = {}) {
  const world = await openWorld({
    env: {
      MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '600',
      MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '240',
      ...env,
    },
  });
  worlds.push(world);
  const { data } = await world.tool('alice', 'create_operation_handoff', O1());
  const path = `/api/operations/${data.id}`;
  const secret = secretIn(data.operationUrl);
  const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
    const seen = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const { status } = await ask();
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    return Object.fromEntries(seen);
  };
  return { world, path, secret, statuses };
}

describe('hardening:H13', () => {
  it('hardening:H13 hundreds of requests without a secret, or with a wrong one, cost the holder of the right one nothing', async () => {
    const { world, path, secret, statuses } = await newOperation();
    // 0.1.0 answers 429 to the person after 120 of these.
    expect(await statuses(130, () => world.api(path))).toEqual({ 404: 130 });
    expect(await statuses(200, () => world.api(path, { secret: WRONG }))).toEqual({ 404: 110, 429: 90 });
    // From the same address, which has nothing left.
    expect(await statuses(200, () => world.api(path, { secret }))).toEqual({ 200: 200 });
    const opened = { status: 'opened' };
    expect((await world.api(`${path}/status`, { secret, body: opened })).status).toBe(200);
    expect((await world.api(`${path}/status`, { body: { ...opened, secret } })).status).toBe(200);
    expect((await world.api(path, { secret: WRONG })).status).toBe(429);
  });

  it('hardening:H13 a right secret has a limit of its own, for each operation', async () => {
    const { world, path, secret, statuses } = await newOperation({
      MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '5',
    });
    const other = await world.tool('alice', 'create_operation_handoff', O1());
    expect(await statuses(8, () => world.api(path, { secret }))).toEqual({ 200: 5, 429: 3 });
    const otherSecret = secretIn(other.data.operationUrl);
    const answer = await world.api(`/api/operations/${other.data.id}`, { secret: otherSecret });
    expect(answer.status).toBe(200);
    const late = await world.api(path, { secret });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    // Whoever reads too often does not keep the page from posting.
    const posted = await world.api(`${path}/status`, { secret, body: { status: 'opened' } });
    expect(posted.status).toBe(200);
  });

  it('hardening:H13 the same wrong secret is counted wherever it comes from', () => {
    const rates = createPageRates({ perHandlePerMinute: 3, perAddressPerMinute: 1_000 }, () => 0);
    const from = (n: number) =>
      rates.refused({ address: `198.51.100.${n}`, id: 'op_1', secret: WRONG }) === undefined;
    expect([1, 2, 3, 4, 5].map(from)).toEqual([true, true, true, false, false]);
    expect(rates.opened('op_1', 'secret', 'read')).toBeUndefined();
  });

  it('hardening:H13 addresses of one IPv6 customer are counted together', () => {
    const rates = createPageRates({ perHandlePerMinute: 10, perAddressPerMinute: 3 }, () => 0);
    const from = (address: string) => rates.refused({ address, id: 'op_1' }) === undefined;
    expect([1, 2, 3, 4].map((n) => from(`2001:db8:0:7::${n}`))).toEqual([true, true, true, false]);
    expect(from('2001:db8:0:8::1')).toBe(true);
  });

  it('hardening:H13 a stranger without a secret may send a small body only, and no body is read for a wrong secret', async () => {
    const { world, path, secret } = await newOperation();
    const large = { status: 'opened', note: 'x'.repeat(70_000) };
    const post = (asked: object) => world.api(`${path}/status`, asked);
    const tooLarge = await post({ body: large });
    expect([tooLarge.status, tooLarge.json]).toMatchObject([
      413,
      { error: 'payload too large', message: expect.stringContaining('Authorization: Handoff') },
    ]);
    expect((await post({ body: { ...large, secret } })).status).toBe(413);
    expect((await post({ body: large, secret: WRONG })).status).toBe(404);
    expect((await post({ body: '{', secret: WRONG })).status).toBe(404);
    expect((await post({ body: large, secret })).status).not.toBe(413);
  });

  it('hardening:H13 what is remembered of strangers is bounded', () => {
    const bucket = new Bucket(10);
    for (let i = 0; i < 25_000; i++) bucket.check(`address ${i}`, 0);
    expect(bucket.size).toBeLessThanOrEqual(10_000);
  });
});
