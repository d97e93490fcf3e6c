/** Asks of a wallet over the API of a page: what a wallet did is told, in whatever order things happen (review:1). */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { verifyReceipts } from '../../packages/server/src/cli/verify-receipts.js';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, useWorld, type Wire, type World } from './support/world.js';

const TO = '0x1111111111111111111111111111111111111111';
const chain = new FakeChain(1879);
const world = await useWorld({ chains: readerOf(chain) });
let signers = 0;
const QUIET_MS = 600_000;

async function newRequest(on: World = world, over: object = {}) {
  const from = hex(0x7000 + ++signers, 40);
  const { data } = await on.tool('alice', 'create_operation_handoff', { ...O1(), ttlSeconds: 900, ...over });
  const secret = secretIn(data.operationUrl);
  const path = `/api/operations/${data.id}`;
  const post = (body: object, headers?: Record<string, string>): Promise<Wire> =>
    on.api(`${path}/status`, { body, ...(headers ? { headers } : { secret }) });
  const ask = async (more: object = {}) => {
    await post({ status: 'opened' });
    return post({ status: 'tx_requested', stepId: 'step_1', account: from, ...more });
  };
  const byToken = (token: string, body: object) => post(body, { authorization: `Ask ${token}` });
  return {
    id: data.id as string,
    from,
    secret,
    path,
    post,
    ask,
    byToken,
    get: () => on.api(path, { secret }),
    agent: async () => (await on.tool('alice', 'get_operation_status', { operationId: data.id })).data,
    cancel: () => on.tool('alice', 'cancel_operation_handoff', { operationId: data.id }),
    pay: () => chain.send({ from, to: TO, data: '0xa9059cbb' }),
  };
}

type Request = Awaited<ReturnType<typeof newRequest>>;
const settled = (op: Request, status: string) => until(op.get, (answer) => answer.json.status === status);
const claim = (txHash: string) => ({ status: 'tx_submitted', stepId: 'step_1', txHash });
const answer = (word: string, more: object = {}) => ({
  status: 'failed',
  stepId: 'step_1',
  stepStatus: 'failed',
  answer: word,
  ...more,
});

function mine(hash: ReturnType<Request['pay']>): void {
  chain.mine(hash);
  chain.advance(10);
}

/** The exit code of `handover verify` with these receipts, and what it says of them together. */
async function verified(receipts: readonly Wire[]): Promise<readonly [number, object]> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-receipts-'));
  const paths = receipts.map((receipt, i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, canonicalJson(receipt));
    return path;
  });
  const printed: string[] = [];
  const output = { out: (text: string) => void printed.push(text), note: () => undefined };
  const code = await verifyReceipts(paths, { json: true, key: [receipts[0]?.public_key] }, output);
  rmSync(folder, { recursive: true });
  // console:L4: one document, whatever was found.
  expect(printed).toHaveLength(1);
  const { from, to, effect, flaws } = JSON.parse(printed[0] ?? '');
  return [code, flaws.length > 0 ? { flaw: flaws[0].path } : { from, to, effect }];
}

describe('an ask', () => {
  it('review:A1 gives a token once, which answers it without the secret of the page', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    expect(json.ask).toEqual({
      id: expect.stringMatching(/^ask_[0-9a-f]{24}$/),
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      stepIds: ['step_1'],
    });
    expect(JSON.stringify((await op.get()).json)).not.toContain(json.ask.token);
    const hash = op.pay();
    const told = await op.byToken(json.ask.token, claim(hash));
    expect([told.status, told.json]).toEqual([
      200,
      { ok: true, id: op.id, status: 'tx_submitted', effect: 'unknown' },
    ]);
    mine(hash);
    expect((await settled(op, 'completed')).json).toMatchObject({ effect: 'done', basis: ['chain'] });
  });

  it('review:E2 a request that asks for nothing is never done', async () => {
    const empty = await newRequest(world, { steps: [] });
    expect(await empty.agent()).toMatchObject({ status: 'pending_user_action', effect: 'none' });
    expect((await empty.cancel()).data).toMatchObject({
      status: 'cancelled',
      receipt: { outcome: 'cancelled', effect: 'none' },
    });
  });

  it('review:A1 sent again with the same clientAsk gives the same ask and a fresh token', async () => {
    const op = await newRequest();
    const clientAsk = randomUUID();
    const [first, second] = [await op.ask({ clientAsk }), await op.ask({ clientAsk })];
    expect(second.status).toBe(200);
    expect(second.json.ask.id).toBe(first.json.ask.id);
    expect(second.json.ask.token).not.toBe(first.json.ask.token);
    for (const { token } of [first.json.ask, second.json.ask])
      expect((await op.byToken(token, answer('unclear'))).status).toBe(200);
    expect((await op.ask({ clientAsk: randomUUID() })).status).toBe(409);
  });

  it('review:A1 a clientAsk that was answered, or was for another account, makes no second ask', async () => {
    const op = await newRequest();
    const clientAsk = randomUUID();
    const { json } = await op.ask({ clientAsk });
    expect((await op.ask({ clientAsk, account: hex(0x99, 40) })).status).toBe(409);
    await op.byToken(json.ask.token, answer('not_opened', { walletCode: -32_002 }));
    await op.cancel();
    expect((await op.ask({ clientAsk })).status).toBe(409);
    expect((await op.post({ status: 'tx_requested', stepIds: ['step_1', 'step_1'] })).status).toBe(400);
  });

  it('review:A2 records the account, the head and the nonces before the wallet is asked', async () => {
    const op = await newRequest();
    op.pay();
    await op.ask();
    const { json } = await op.get();
    expect(json.asks).toMatchObject([{ account: op.from, nonce: 0, standing: 'open' }]);
  });

  it.each([
    ['refused', { walletCode: 4001 }, 'none', 'REJECTED', ['wallet']],
    ['not_opened', { walletCode: -32_002 }, 'none', 'WALLET_ERROR', ['wallet']],
    ['unclear', { walletCode: -32_003 }, 'unknown', 'UNANSWERED', ['wallet']],
    ['said_not_signed', {}, 'unknown', 'NOT_SIGNED', ['holder']],
  ])('review:A5 answered %s', async (word, more, effect, reasonCode, basis) => {
    const op = await newRequest();
    const { json } = await op.ask();
    const said = await op.byToken(json.ask.token, answer(word, { ...more, error: 'so it\u202e was\u0007' }));
    expect(said.status, said.text).toBe(200);
    const { json: shown } = await op.get();
    expect(shown).toMatchObject({ effect, reasonCode, basis, ...more });
    expect(shown.status).toBe(effect === 'unknown' ? 'tx_requested' : 'failed');
    expect(shown.steps[0].status).toBe(word === 'unclear' ? 'requested' : 'failed');
    if (word !== 'unclear') expect(shown.steps[0].error).toBe('so it was');
  });

  it('review:A4 does not bind the account when it was refused', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    expect((await op.ask({ account: TO })).status).toBe(409);
    await op.byToken(json.ask.token, answer('refused', { walletCode: 4001 }));
    expect((await op.ask({ account: TO })).status).toBe(200);
  });
});

describe('a race', () => {
  it('review:1.11.1 declined while the prompt is open, then signed: never "none", and done in the end', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    const declined = await op.post({ status: 'cancelled' });
    expect(declined.json).toMatchObject({
      status: 'tx_requested',
      effect: 'unknown',
      closing: { by: 'holder' },
    });
    expect((await op.ask()).status).toBe(409);
    const hash = op.pay();
    await op.byToken(json.ask.token, claim(hash));
    mine(hash);
    const { json: done } = await settled(op, 'completed');
    expect(done).toMatchObject({
      effect: 'done',
      reasonCode: 'SENT_AFTER_DECLINE',
      receipt: { no: 1, effect: 'done', outcome: 'completed' },
    });
  });

  it('review:1.11.2 cancelled by the agent while the prompt is open', async () => {
    const [refused, signed] = [await newRequest(), await newRequest()];
    const [first, second] = [await refused.ask(), await signed.ask()];
    for (const op of [refused, signed])
      expect((await op.cancel()).data).toMatchObject({ effect: 'unknown', closing: { by: 'creator' } });
    await refused.byToken(first.json.ask.token, answer('refused', { walletCode: 4001 }));
    expect(await refused.agent()).toMatchObject({
      status: 'cancelled',
      effect: 'none',
      reasonCode: 'CANCELLED',
    });
    const hash = signed.pay();
    await signed.byToken(second.json.ask.token, claim(hash));
    mine(hash);
    expect((await settled(signed, 'completed')).json.reasonCode).toBe('SENT_AFTER_CANCEL');
  });

  it('review:1.11.4 nobody tells of what was signed: the nonce of the account does', async () => {
    const op = await newRequest();
    await op.ask();
    mine(op.pay());
    const { json } = await settled(op, 'completed');
    expect(json.steps[0].claims).toMatchObject([{ source: 'nonce', verification: 'matched' }]);
  });

  it('review:1.11.6 "I did not sign", tried again, and both are signed: paid twice, with both in the receipt', async () => {
    const op = await newRequest();
    const first = await op.ask();
    await op.byToken(first.json.ask.token, answer('said_not_signed'));
    const second = await op.ask();
    expect(second.status).toBe(200);
    const [one, two] = [op.pay(), op.pay()];
    await op.byToken(second.json.ask.token, claim(two));
    mine(one);
    mine(two);
    const { json } = await until(op.get, ({ json: shown }) => shown.effect === 'exceeded');
    expect(json).toMatchObject({ status: 'completed', reasonCode: 'PAID_TWICE' });
    const { receipt } = (await until(op.get, ({ json: shown }) => shown.receipt?.effect === 'exceeded')).json;
    expect(receipt.steps[0].claims.map(({ value }: Wire) => value).sort()).toEqual([one, two].sort());
  });

  it('review:1.11.7 cancelled with a receipt, then the hash is told: the next receipt supersedes it', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    await op.byToken(json.ask.token, answer('refused', { walletCode: 4001 }));
    const cancelled = (await op.cancel()).data;
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      effect: 'none',
      receipt: { no: 1, effect: 'none' },
    });
    const hash = op.pay();
    expect((await op.byToken(json.ask.token, claim(hash))).json).toMatchObject({ effect: 'unknown' });
    const { receipt: second } = await op.agent();
    mine(hash);
    const { json: done } = await settled(op, 'completed');
    expect(done.receipts.map(({ no, effect }: Wire) => [no, effect])).toEqual([
      [1, 'none'],
      [2, 'unknown'],
      [3, 'done'],
    ]);
    expect(done.receipt.supersedes).toBe(done.receipts[1].digest);
    const all = [cancelled.receipt, second, done.receipt];
    // review:P4 A chain is whole, in whatever order its receipts are given; a gap and a fork are flaws.
    expect(await verified(all.toReversed())).toEqual([0, { from: 1, to: 3, effect: 'done' }]);
    expect(await verified([cancelled.receipt, done.receipt])).toEqual([1, { flaw: 'no' }]);
    expect(await verified([cancelled.receipt, cancelled.receipt])).toEqual([1, { flaw: 'no' }]);
    const other = await newRequest();
    expect(await verified([cancelled.receipt, (await other.cancel()).data.receipt])).toEqual([
      1,
      { flaw: 'operation_id' },
    ]);
  });

  it('review:E1 "I did not sign" is believed after a quiet time in which the chain shows nothing', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const op = await newRequest(timed);
    const { json } = await op.ask();
    await op.byToken(json.ask.token, answer('said_not_signed'));
    expect((await op.get()).json).toMatchObject({ effect: 'unknown', asks: [{ standing: 'quiet' }] });
    timed.clock.now += QUIET_MS + 1;
    chain.advance(1);
    const { json: shown } = await until(op.get, (one) => one.json.effect === 'none');
    expect(shown).toMatchObject({ reasonCode: 'NOT_SIGNED', basis: ['holder', 'chain'] });
    await timed.close();
  });

  it('review:C4 what is paid for a request goes to it, and not to the one that it replaced', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const old = await newRequest(timed);
    const { json } = await old.ask();
    await old.byToken(json.ask.token, answer('said_not_signed'));
    timed.clock.now += QUIET_MS + 1;
    chain.advance(1);
    await until(old.get, (one) => one.json.effect === 'none');
    const next = await newRequest(timed, { replaces: old.id });
    const { json: asked } = await next.ask({ account: old.from });
    const hash = old.pay();
    await next.byToken(asked.ask.token, claim(hash));
    mine(hash);
    expect((await settled(next, 'completed')).json).toMatchObject({ effect: 'done' });
    expect(await old.agent()).toMatchObject({ status: 'cancelled', effect: 'none' });
    await timed.close();
  });

  it('review:X3 an expired record shows nothing, and takes what a wallet did', async () => {
    const timed = await openWorld({ chains: readerOf(chain) });
    const op = await newRequest(timed);
    const { json } = await op.ask();
    await op.byToken(json.ask.token, answer('refused', { walletCode: 4001 }));
    timed.clock.now += 900_001;
    expect((await op.get()).status).toBe(410);
    const hash = op.pay();
    const told = await op.byToken(json.ask.token, claim(hash));
    expect([told.status, told.json.effect]).toEqual([200, 'unknown']);
    mine(hash);
    const done = await until(op.agent, (data) => data.status === 'completed');
    expect(done).toMatchObject({ effect: 'done', reasonCode: 'SENT_AFTER_EXPIRY' });
    await timed.close();
  });
});

describe('review:1.10 bad input', () => {
  it('a token reads nothing, and answers no other ask', async () => {
    const [op, other] = [await newRequest(), await newRequest()];
    const [{ json }, { json: foreign }] = [await op.ask(), await other.ask()];
    const { token, id } = json.ask;
    const headers = { authorization: `Ask ${token}` };
    const notFound = [404, '{"error":"not found"}'];
    const said = async (asked: Promise<Wire>) => {
      const { status, text } = await asked;
      return [status, text];
    };
    expect(await said(world.api(op.path, { headers }))).toEqual(notFound);
    expect(await said(world.api(other.path, { headers }))).toEqual(notFound);
    expect(await said(other.byToken(token, answer('refused')))).toEqual(notFound);
    expect(await said(op.byToken('x'.repeat(43), answer('refused')))).toEqual(notFound);
    expect(await said(op.byToken(token, { status: 'opened' }))).toEqual(notFound);
    expect(await said(op.byToken(token, { status: 'cancelled' }))).toEqual(notFound);
    expect(await said(op.byToken(token, answer('refused', { askId: foreign.ask.id })))).toEqual(notFound);
    expect((await op.post(answer('refused', { askId: foreign.ask.id }))).status).toBe(400);
    expect((await op.byToken(token, answer('refused', { askId: id, walletCode: 4001 }))).status).toBe(200);
  });

  it.each([
    ['a hash that is none', { status: 'tx_submitted', stepId: 'step_1', txHash: '0x12' }, 400],
    ['an unknown answer', { status: 'failed', stepId: 'step_1', answer: 'perhaps' }, 400],
    ['a field that is none', { status: 'failed', stepId: 'step_1', answer: 'refused', because: 1 }, 400],
    ['a clientAsk that is none', { status: 'tx_requested', stepId: 'step_1', clientAsk: '7' }, 400],
    ['an ask that is none', { status: 'failed', stepId: 'step_1', askId: 'ask_1', answer: 'refused' }, 400],
    ['a step that is none', { status: 'tx_submitted', stepId: 'step_9', txHash: hex(1) }, 400],
    ['what only the chain says', { status: 'tx_submitted', stepId: 'step_1', stepStatus: 'confirmed' }, 409],
    ['what only the server says', { status: 'opened', effect: 'none' }, 409],
    ['on whose word', { status: 'opened', basis: ['chain'] }, 409],
  ])('%s', async (_name, body, status) => {
    const op = await newRequest();
    await op.ask();
    const said = await op.post(body);
    expect(said.status, said.text).toBe(status);
  });

  it('a claim may follow every answer, and a refusal no claim', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    const { token } = json.ask;
    await op.byToken(token, answer('refused', { walletCode: 4001 }));
    const hash = op.pay();
    expect((await op.byToken(token, claim(hash))).status).toBe(200);
    expect((await op.byToken(token, claim(hash))).status).toBe(200);
    expect((await op.byToken(token, answer('refused', { walletCode: 4001 }))).status).toBe(409);
  });

  it('review:C5 at most 16 claims a step', async () => {
    const op = await newRequest();
    const { json } = await op.ask();
    for (let n = 1; n <= 16; n++)
      expect((await op.byToken(json.ask.token, claim(hex(0xf00 + n)))).status, `${n}`).toBe(200);
    expect((await op.byToken(json.ask.token, claim(hex(0xfff)))).status).toBe(409);
    expect((await op.byToken(json.ask.token, claim(hex(0xf01)))).status).toBe(200);
  });
});
