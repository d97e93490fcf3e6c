/** The attacks of docs/spec/reliability.md 3.4 as the server sees them. */
import { BEGINNING, createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../packages/server/src/observe/log.js';
import { until } from '../kit/until.js';
import { B2, O1, S1 } from './support/examples.js';
import { FakeChain, type FakeTransaction, FEE, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type World } from './support/world.js';

const FROM = '0x3333333333333333333333333333333333333333';
const TO = '0x1111111111111111111111111111111111111111';
const chain = new FakeChain(1879);

/** Each request has a signer of its own: what one has sent could serve any open request of its account. */
let signers = 0;
const newSigner = () => hex(0x5000 + ++signers, 40);
const world = await useWorld({ chains: readerOf(chain) });

async function newOperation(on: World = world, over: object = {}, from = newSigner()) {
  const { data } = await on.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 600, ...over });
  const secret = secretIn(data.operationUrl);
  const path = `/api/operations/${data.id}`;
  const post = (body: object) => on.api(`${path}/status`, { secret, body });
  const get = () => on.api(path, { secret });
  const requested = async () => {
    await post({ status: 'opened' });
    return post({ status: 'tx_requested', stepId: 'step_1', account: from });
  };
  const submitted = async (txHash: string) => {
    await requested();
    return post({ status: 'tx_submitted', stepId: 'step_1', txHash });
  };
  return { data, from, id: data.id as string, secret, path, post, get, requested, submitted };
}

type Op = Awaited<ReturnType<typeof newOperation>>;
const CALL = { to: TO, data: '0xa9059cbb' };
const payment = ({ from }: Op) => ({ ...CALL, from });

/** Sent, told as wallets tell it, mined, and deep. Told last, the server's own search might be first. */
async function mined(op: Op, tx: Partial<FakeTransaction> = {}): Promise<string> {
  const txHash = chain.send({ ...payment(op), ...tx });
  expect((await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash })).status).toBe(200);
  chain.mine(txHash);
  chain.advance(10);
  return txHash;
}
const verification = (op: Op, wanted: string) => until(op.get, ({ json }) => json.verification === wanted);

describe('a hash from the browser is a claim', () => {
  it('a forged hash is never confirmed', async () => {
    const op = await newOperation();
    await op.submitted(hex(0xdead));
    const { json } = await verification(op, 'pending');
    expect(json).toMatchObject({ status: 'tx_submitted', steps: [{ status: 'submitted' }] });
    chain.advance(50);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await op.get()).json.status).toBe('tx_submitted');
  });

  it.each([
    ['recipient', { to: FROM }, 'to_differs'],
    ['value', { value: 1n }, 'value_differs'],
    ['data', { data: '0x095ea7b3' }, 'data_differs'],
    ['chain', { chainId: 1 }, 'chain_differs'],
  ])('the hash of another transaction is a mismatch: %s', async (_name, tx, reason) => {
    const op = await newOperation();
    await op.requested();
    const txHash = await mined(op, tx);
    const { json } = await until(op.get, (answer) => answer.json.effect === 'different');
    const shown = { error: reason, reasonCode: 'MISMATCHED', reasonDetail: reason };
    expect(json).toMatchObject({
      status: 'tx_submitted',
      verification: 'mismatched',
      steps: [{ status: 'submitted', txHash, ...shown }],
    });
    // The right one may follow; then more has moved than was asked for.
    await mined(op);
    const { json: after } = await until(op.get, (answer) => answer.json.status === 'completed');
    expect(after).toMatchObject({ effect: 'exceeded', reasonCode: 'PAID_TWICE' });
  });

  it('review:C4 a payment of somebody else is not this one, whoever brings its hash', async () => {
    const op = await newOperation();
    await op.requested();
    await mined(op, { from: TO });
    const { json } = await until(op.get, (answer) => answer.json.reasonCode === 'SENDER_UNBOUND');
    expect(json).toMatchObject({ status: 'tx_submitted', effect: 'unknown', verification: 'pending' });
    const named = await newOperation(world, { steps: [{ txRequest: { ...CALL, from: FROM } }] }, FROM);
    await named.requested();
    await mined(named, { from: TO });
    const { json: other } = await until(named.get, (answer) => answer.json.reasonCode === 'SENDER_UNBOUND');
    expect(other).toMatchObject({ effect: 'unknown' });
    const unasked = await newOperation();
    await mined(unasked);
    await until(unasked.get, (answer) => answer.json.reasonCode === 'SENDER_UNBOUND');
    expect((await unasked.get()).json).toMatchObject({ effect: 'unknown' });
  });

  it('review:C4 a payment that is older than the request is not this one', async () => {
    const from = newSigner();
    const old = chain.send({ ...CALL, from });
    chain.mine(old);
    chain.advance(10);
    const op = await newOperation(world, {}, from);
    await op.submitted(old);
    const { json } = await until(op.get, (answer) => answer.json.reasonCode === 'TOO_OLD');
    expect(json).toMatchObject({ status: 'tx_requested', effect: 'unknown' });
    // A hash that is not this step's is not shown as its transaction.
    expect(json.steps[0]).toMatchObject({ claims: [{ value: old, reasonCode: 'TOO_OLD' }] });
    expect(json.steps[0]).not.toHaveProperty('txHash');
    await mined(op);
    expect((await until(op.get, (answer) => answer.json.status === 'completed')).json.effect).toBe('done');
  });

  it('review:C3 one payment serves one request of the whole server: that of whose page told of it', async () => {
    const first = await newOperation();
    const second = await newOperation(world, {}, first.from);
    await first.requested();
    world.clock.now += 1_000;
    await second.requested();
    const txHash = await mined(second);
    const { json: done } = await until(second.get, (answer) => answer.json.status === 'completed');
    expect(done).toMatchObject({ effect: 'done', steps: [{ txHash, claims: [{ source: 'page' }] }] });
    await first.submitted(txHash);
    const { json } = await until(first.get, (answer) => answer.json.reasonCode === 'HASH_USED');
    expect(json).toMatchObject({ status: 'tx_requested', effect: 'unknown' });
    expect(json.steps[0]).not.toHaveProperty('txHash');
    const late = await newOperation(world, {}, first.from);
    await late.submitted(txHash);
    await until(late.get, (answer) => answer.json.reasonCode === 'TOO_OLD');
  });

  it('a reorganisation is noticed before the confirmations, and the step goes on waiting', async () => {
    const op = await newOperation();
    await op.requested();
    const txHash = chain.send(payment(op));
    chain.mine(txHash);
    await op.submitted(txHash);
    await until(op.get, ({ json }) => json.steps[0].blockNumber !== undefined);
    chain.reorg(txHash);
    // `reorged` is said once, and the look after it starts over.
    const { json } = await until(op.get, (answer) => answer.json.steps[0].blockNumber === undefined);
    expect(json).toMatchObject({ status: 'tx_submitted', steps: [{ status: 'submitted' }] });
    chain.mine(txHash);
    chain.advance(3);
    expect((await verification(op, 'matched')).json.status).toBe('completed');
  });

  it('a revert fails the step, which can be tried again', async () => {
    const op = await newOperation();
    const txHash = chain.send(payment(op));
    await op.submitted(txHash);
    chain.mine(txHash, 'reverted');
    chain.advance(5);
    const { json } = await until(op.get, (answer) => answer.json.status === 'failed');
    expect(json).toMatchObject({ effect: 'none', feeSpent: true, reasonCode: 'REVERTED' });
    expect(json.steps[0]).toMatchObject({ status: 'failed', error: 'reverted' });
    // review:1.6 So that the page can say what it has cost.
    expect(json.steps[0].claims).toMatchObject([{ fee: String(FEE) }]);
    expect((await op.post({ status: 'tx_requested', stepId: 'step_1' })).status).toBe(200);
  });

  it('without an RPC it says unverified and never more, and closes as it stands', async () => {
    const alone = await openWorld();
    const op = await newOperation(alone);
    await op.submitted(hex(1));
    expect((await op.get()).json).toMatchObject({ status: 'tx_submitted', verification: 'unverified' });
    alone.clock.now += 601_000;
    const { data } = await alone.tool('alice', 'get_operation_status', { operationId: op.id });
    expect(data).toMatchObject({
      status: 'tx_submitted',
      effect: 'unknown',
      closed: true,
      receipt: { outcome: 'tx_submitted (closed)', effect: 'unknown', no: 1 },
    });
    // What a wallet did is taken for as long as reports are.
    expect((await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: hex(2) })).status).toBe(200);
    await alone.close();
  });

  it('an RPC that fails changes nothing', async () => {
    const op = await newOperation();
    chain.down = true;
    await op.submitted(hex(0xbeef));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await op.get()).json).toMatchObject({ status: 'tx_submitted', verification: 'unverified' });
    chain.down = false;
  });
});

describe('one transaction at most', () => {
  it('double click and two tabs: the second request is refused with the present state', async () => {
    const op = await newOperation();
    await op.post({ status: 'opened' });
    const answers = await Promise.all(
      [1, 2, 3].map(() => op.post({ status: 'tx_requested', stepId: 'step_1' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json).toMatchObject({ error: 'conflict', current: { status: 'tx_requested' } });
  });

  it('a second tab’s opened and wallet_connected change nothing', async () => {
    const op = await newOperation();
    await op.requested();
    for (const status of ['opened', 'wallet_connected'])
      expect((await op.post({ status })).json.status).toBe('tx_requested');
    expect((await op.get()).json.events).toHaveLength(3);
  });

  it('steps go in order: the second opens with the receipt of the first', async () => {
    const steps = [{ txRequest: { to: TO } }, { txRequest: { to: FROM } }];
    const op = await newOperation(world, { steps });
    await op.post({ status: 'opened' });
    const second = () => op.post({ status: 'tx_requested', stepId: 'step_2' });
    expect((await second()).status).toBe(409);
    await op.post({ status: 'tx_requested', stepId: 'step_1', account: op.from });
    const txHash = chain.send({ from: op.from, to: TO });
    await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash });
    expect((await second()).status).toBe(409);
    chain.mine(txHash);
    await until(op.get, ({ json }) => json.steps[0].blockNumber !== undefined);
    expect((await second()).status).toBe(200);
    expect((await op.post({ status: 'tx_submitted', stepId: 'step_2', txHash })).status).toBe(200);
    chain.advance(5);
    const { json } = await until(op.get, (answer) => answer.json.steps[1].reasonCode === 'HASH_USED');
    expect(json).toMatchObject({ effect: 'unknown', steps: [{ effect: 'done' }, { status: 'requested' }] });
  });

  it('another account than the one asked for is refused', async () => {
    const op = await newOperation(world, { steps: [{ txRequest: { to: TO, from: FROM } }] });
    await op.post({ status: 'opened' });
    expect((await op.post({ status: 'tx_requested', stepId: 'step_1', account: TO })).status).toBe(409);
    expect((await op.post({ status: 'tx_requested', stepId: 'step_1', account: FROM })).status).toBe(200);
  });
});

describe('strangers and other sites', () => {
  it('get one and the same answer', async () => {
    const op = await newOperation();
    const unknown = `/api/operations/op_${'0'.repeat(32)}`;
    const answers = [
      await world.api(op.path),
      await world.api(op.path, { secret: 'x'.repeat(43) }),
      await world.api(op.path, { headers: { authorization: 'Bearer alice' } }),
      await world.api(unknown, { secret: op.secret }),
      await world.api(unknown),
      await world.api(`${op.path}/status`, { body: { status: 'opened' } }),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([404, '{"error":"not found"}']);
    const other = await world.tool('mallory', 'get_operation_status', { operationId: op.id });
    const none = await world.tool('mallory', 'get_operation_status', { operationId: `op_${'0'.repeat(32)}` });
    expect(other.data.error).toBe(none.data.error);
    expect(other.data.errorCode).toBe('OPERATION_NOT_FOUND');
    expect((await world.tool('mallory', 'list_recent_operations')).data).toEqual([]);
    expect((await world.tool('mallory', 'cancel_operation_handoff', { operationId: op.id })).isError).toBe(
      true,
    );
  });

  it('a page of another site cannot post', async () => {
    const op = await newOperation();
    const body = JSON.stringify({ status: 'opened', secret: op.secret });
    const post = (headers: Record<string, string>) => world.api(`${op.path}/status`, { body, headers });
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })).status).toBe(403);
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({ 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await op.get()).json.status).toBe('pending_user_action');
  });

  it('reading a hundred times changes nothing', async () => {
    const op = await newOperation();
    for (let i = 0; i < 100; i++) await world.api(op.path);
    expect((await op.get()).json).toMatchObject({
      status: 'pending_user_action',
      events: [{ type: 'created' }],
    });
  });

  it('answers are not cached and methods are bounded', async () => {
    const op = await newOperation();
    expect((await op.get()).headers.get('cache-control')).toBe('no-store');
    const answer = await fetch(new URL(op.path, world.server.httpUrl), { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('each operation has a limit for its secret, each address one for everything else', async () => {
    const strict = await openWorld({
      env: { MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '3', MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '2' },
    });
    const op = await newOperation(strict);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await op.get()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let i = 0; i < 3; i++)
      statuses.push(
        (
          await strict.api(`/api/operations/op_${'1'.repeat(32)}`, {
            headers: { 'x-forwarded-for': `10.0.0.${i}` },
          })
        ).status,
      );
    expect(statuses.slice(4)).toEqual([404, 404, 429]);
    await strict.close();
  });
});

describe('expiry', () => {
  it('is reported, and nothing can be read, posted or drawn any more', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const op = await newOperation(timed);
    timed.clock.now += 600_001;
    expect([(await op.get()).status, (await op.get()).text]).toEqual([
      410,
      '{"error":"expired","message":"the handoff has expired"}',
    ]);
    expect((await op.post({ status: 'opened' })).status).toBe(410);
    const { data } = await timed.tool('alice', 'get_operation_status', {
      operationId: op.id,
      secret: op.secret,
    });
    expect(data).toMatchObject({ status: 'expired', effect: 'none', reasonCode: 'EXPIRED' });
    expect(data).not.toHaveProperty('payload');
    expect(data.steps[0]).not.toHaveProperty('txRequest');
    const cancelled = await timed.tool('alice', 'cancel_operation_handoff', { operationId: op.id });
    expect(cancelled.data).toMatchObject({ errorCode: 'CONFLICT', details: { status: 'expired' } });
    await timed.close();
  });

  it('waits for a wallet that was asked', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const op = await newOperation(timed);
    await op.requested();
    timed.clock.now += 3_600_000;
    const txHash = chain.send(payment(op));
    chain.mine(txHash);
    chain.advance(5);
    expect((await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash })).status).toBe(200);
    expect((await verification(op, 'matched')).json.status).toBe('completed');
    await timed.close();
  });
});

describe('declining and cancelling', () => {
  it('a person can decline until something was sent', async () => {
    const op = await newOperation();
    expect((await op.post({ status: 'cancelled' })).json.status).toBe('cancelled');
    expect((await op.post({ status: 'tx_requested', stepId: 'step_1' })).status).toBe(409);
    const sent = await newOperation();
    await sent.submitted(hex(0xf00d));
    expect((await sent.post({ status: 'cancelled' })).status).toBe(409);
    const { data } = await world.tool('alice', 'cancel_operation_handoff', { operationId: sent.id });
    expect(data.errorCode).toBe('CONFLICT');
  });

  it('a browser cannot say what only the chain can', async () => {
    const op = await newOperation();
    await op.requested();
    for (const status of ['completed', 'expired', 'pending_user_action'])
      expect((await op.post({ status })).status, status).toBe(409);
    expect(
      (await op.post({ status: 'tx_submitted', stepId: 'step_1', stepStatus: 'confirmed' })).status,
    ).toBe(409);
    expect((await op.post({ status: 'bogus' })).status).toBe(400);
    expect((await op.post({ status: 'tx_submitted', stepId: 'step_1', txHash: '0x12' })).status).toBe(400);
    expect((await op.post({ status: 'opened', mnemonic: 'x' })).status).toBe(400);
  });
});

describe('secrets', () => {
  it('stand in the answer that creates them and nowhere else', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', stream: { write: (line: string) => void lines.push(line) } });
    const store = createMemoryStore();
    const seen = await openWorld({
      chains: readerOf(chain),
      log,
      store,
      env: { HANDOVER_QUERY_SECRETS: '1' },
    });
    chain.contracts.set(TO, { owner: FROM, ostc: {}, executors: [] });
    const op = await newOperation(seen);
    const canary = 'canary-5f2d7c1b9e';
    const { handle: _handle, ...request } = S1();
    request.sessions[0].payload.__secret = canary;
    const start = (
      await seen.tool('alice', 'create_xdala_session_start_handoff', {
        source: 'direct',
        network: 'testnet',
        request,
      })
    ).data;
    const startSecret = secretIn(start.xdalaUrl);
    const page = await seen.api(`/api/session-start/${start.handle}`, { secret: startSecret });
    expect(page.json.request.sessions[0].payload.__secret).toBe(canary);

    const said: string[] = [];
    const hear = async (answer: Promise<{ text?: string; data?: unknown }>) => {
      const { text, data } = await answer;
      said.push(text ?? JSON.stringify(data));
    };
    await hear(op.get());
    await hear(op.post({ status: 'opened' }));
    await hear(seen.api(`${op.path}?k=${op.secret}`));
    await hear(seen.api(`${op.path}/status`, { body: { status: 'opened', secret: op.secret } }));
    await hear(seen.api(`${op.path}/status`, { body: { status: 'bogus', secret: op.secret } }));
    await hear(seen.api(`${op.path}/status?k=${op.secret}`, { body: 'not json' }));
    await hear(seen.tool('alice', 'get_operation_status', { operationId: op.id }));
    await hear(seen.tool('alice', 'get_operation_status', { operationId: op.id, secret: op.secret }));
    await hear(seen.tool('alice', 'list_recent_operations'));
    await hear(seen.tool('alice', 'get_xdala_session_start_handoff', { handle: start.handle }));
    await hear(seen.tool('alice', 'get_xdala_session_start_result', { handle: start.handle }));
    await hear(
      seen.api(`/api/session-start/${start.handle}/result`, {
        secret: startSecret,
        body: { nonsense: canary },
      }),
    );
    await hear(seen.api('/metrics'));
    await hear(seen.tool('alice', 'cancel_operation_handoff', { operationId: op.id, secret: op.secret }));
    said.push(...lines);
    const stored = await store.feed(BEGINNING, 1_000);
    for (const { entry } of stored)
      for (const whole of await store.read(entry.stream, 0, { entries: 100, bytes: 1e9 }))
        said.push(whole.factsText, Buffer.from(whole.payload).toString());
    const credentials = await store.credentials.find('operation', start.handle);
    said.push(JSON.stringify(credentials), Buffer.from(credentials[0]?.sealed ?? []).toString('latin1'));
    const everything = said.join('\n');
    for (const secret of [op.secret, startSecret, canary]) expect(everything.includes(secret)).toBe(false);
    expect(everything).toContain('[redacted]');
    expect(JSON.stringify(start)).not.toContain(canary);

    await seen.tool('alice', 'cancel_xdala_session_start_handoff', { handle: start.handle });
    await until(
      () => store.credentials.find('operation', start.handle),
      ([one]) => one?.sealed === null,
    );
    const after = await seen.api(`/api/session-start/${start.handle}`, { secret: startSecret });
    expect([after.json.status, after.json.request.sessions[0].payload.__secret]).toEqual([
      'cancelled',
      '[redacted]',
    ]);
    await seen.close();
  });

  it('in queries and bodies can be switched off', async () => {
    const header = await openWorld({ env: { HANDOVER_QUERY_SECRETS: '0' } });
    const op = await newOperation(header);
    expect((await header.api(`${op.path}?k=${op.secret}`)).status).toBe(404);
    expect(
      (await header.api(`${op.path}/status`, { body: { status: 'opened', secret: op.secret } })).status,
    ).toBe(404);
    expect((await op.get()).status).toBe(200);
    await header.close();
  });

  it('review:H6 are not needed on an external page, unless the operator forbids it, and only there', async () => {
    const external = { MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: 'https://workbench.example/import/' };
    const args = { network: 'n', chainId: 1879, bundle: B2() };
    const [off, on] = [
      await openWorld({ env: { ...external, HANDOVER_HANDLE_ONLY: '0' } }),
      await openWorld({ env: external }),
    ];
    for (const [place, status] of [
      [off, 404],
      [on, 200],
    ] as const) {
      const { data } = await place.tool('alice', 'create_xdala_bundle_deploy_handoff', args);
      expect(data.xdalaUrl).toBe(`https://workbench.example/import/${data.handle}`);
      const codes = data.warnings.map((one: { code: string }) => one.code);
      expect(codes).toEqual([...(place === off ? ['WORKBENCH_CANNOT_READ'] : []), 'UNWATCHED']);
      expect((await place.api(`/api/bundle-deploy/${data.handle}`)).status).toBe(status);
      const op = await newOperation(place);
      expect((await place.api(op.path)).status).toBe(404);
      await place.close();
    }
  });

  it('are of one record only', async () => {
    const [one, other] = [await newOperation(), await newOperation()];
    expect((await world.api(one.path, { secret: other.secret })).status).toBe(404);
  });
});
