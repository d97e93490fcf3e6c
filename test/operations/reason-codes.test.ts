/** review:8 acceptance: every reason code is provoked once, and seen by the agent over MCP. */
import { ReasonCode } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { until } from '../kit/until.js';
import { O1 } from './support/examples.js';
import { FakeChain, hex, readerOf } from './support/fake-chain.js';
import { openWorld, secretIn, type Wire } from './support/world.js';

const TO = '0x1111111111111111111111111111111111111111';
const OTHER = '0x2222222222222222222222222222222222222222';
const DATA = '0xa9059cbb';
const TTL_MS = 900_000;

type Scene = Awaited<ReturnType<typeof openScene>>;
type Row = readonly [code: ReasonCode, effect: string, play: (scene: Scene) => Promise<Wire>];

/** A server and a chain of its own, so that rows can run beside each other and move the clock. */
async function openScene(watched = true) {
  const chain = new FakeChain(1879);
  const world = await openWorld(watched ? { chains: readerOf(chain) } : {});
  let signers = 0;
  const request = async (over: object = {}) => {
    const from = hex(0x9000 + ++signers, 40);
    const args = { ...O1(), ttlSeconds: TTL_MS / 1_000, ...over };
    const { data } = await world.tool('alice', 'create_operation_handoff', args);
    const secret = secretIn(data.operationUrl);
    const named = { operationId: data.id };
    const post = (body: object): Promise<Wire> =>
      world.api(`/api/operations/${data.id}/status`, { secret, body });
    const ask = (step = 'step_1') => post({ status: 'tx_requested', stepId: step, account: from });
    return {
      post,
      from,
      agent: async (): Promise<Wire> => (await world.tool('alice', 'get_operation_status', named)).data,
      cancel: () => world.tool('alice', 'cancel_operation_handoff', named),
      decline: () => post({ status: 'cancelled' }),
      ask: async (step?: string) => {
        await post({ status: 'opened' });
        expect((await ask(step)).status).toBe(200);
      },
      answer: (word: string, walletCode?: number) =>
        post({ status: 'failed', stepId: 'step_1', answer: word, ...(walletCode && { walletCode }) }),
      claim: (txHash: string, step = 'step_1') => post({ status: 'tx_submitted', stepId: step, txHash }),
      pay: (more: object = {}) => chain.send({ from, to: TO, data: DATA, ...more }),
    };
  };
  const mine = (hash: ReturnType<FakeChain['send']>, status: 'success' | 'reverted' = 'success') => {
    chain.mine(hash, status);
    chain.advance(10);
  };
  return { chain, world, request, mine };
}

type Request = Awaited<ReturnType<Scene['request']>>;

/** Asked, paid and told of; the server has seen that it waits. */
async function seen({ request }: Scene): Promise<{ op: Request; hash: ReturnType<Request['pay']> }> {
  const op = await request();
  await op.ask();
  const hash = op.pay();
  await op.claim(hash);
  await until(op.agent, ({ steps }) => steps[0].verification === 'pending');
  return { op, hash };
}

const ended =
  (end: (op: Request, scene: Scene) => unknown) =>
  async (scene: Scene): Promise<Wire> => {
    const op = await scene.request();
    await op.ask();
    await end(op, scene);
    return op;
  };

/** Something ends it, and then the wallet sends after all. */
const sentAfter = (end: (op: Request, scene: Scene) => unknown) =>
  ended(async (op, scene) => {
    await end(op, scene);
    const hash = op.pay();
    await op.claim(hash);
    scene.mine(hash);
  });

const ROWS: readonly Row[] = [
  [ReasonCode.Rejected, 'none', ended((op) => op.answer('refused', 4001))],
  [ReasonCode.NotSigned, 'unknown', ended((op) => op.answer('said_not_signed'))],
  [ReasonCode.WalletError, 'none', ended((op) => op.answer('not_opened', 4902))],
  [ReasonCode.Unanswered, 'unknown', ended((op) => op.answer('unclear', -32_603))],
  [ReasonCode.Declined, 'none', ended(async (op) => [await op.answer('refused', 4001), await op.decline()])],
  [ReasonCode.Cancelled, 'none', ended(async (op) => [await op.answer('refused', 4001), await op.cancel()])],
  [
    ReasonCode.Expired,
    'none',
    async ({ request, world }) => {
      const op = await request();
      world.clock.now += TTL_MS + 1;
      return op;
    },
  ],
  [
    ReasonCode.Stopped,
    'partial',
    async ({ request, mine }) => {
      const [step] = O1().steps;
      const op = await request({ steps: [step, { ...step, label: 'Again' }] });
      await op.ask();
      const hash = op.pay();
      await op.claim(hash);
      mine(hash);
      await until(op.agent, ({ steps }) => steps[0].status === 'confirmed');
      await op.decline();
      return op;
    },
  ],
  [
    ReasonCode.Reverted,
    'none',
    async (scene) => {
      const { op, hash } = await seen(scene);
      scene.mine(hash, 'reverted');
      return op;
    },
  ],
  [
    ReasonCode.Replaced,
    'none',
    async (scene) => {
      const { op } = await seen(scene);
      scene.mine(scene.chain.send({ from: op.from, to: OTHER, nonce: 0 }));
      return op;
    },
  ],
  [
    ReasonCode.SpedUp,
    'unknown',
    async (scene) => {
      const { op } = await seen(scene);
      op.pay({ nonce: 0 });
      return op;
    },
  ],
  [
    ReasonCode.Dropped,
    'unknown',
    async (scene) => {
      const { op, hash } = await seen(scene);
      scene.chain.drop(hash);
      return op;
    },
  ],
  [
    ReasonCode.NotSeen,
    'unknown',
    ended(async (op, { world }) => {
      await op.claim(hex(0x77));
      world.clock.now += 600_001;
    }),
  ],
  [
    ReasonCode.Mismatched,
    'different',
    ended(async (op, { mine }) => {
      const hash = op.pay({ to: OTHER });
      await op.claim(hash);
      mine(hash);
    }),
  ],
  [
    ReasonCode.HashUsed,
    'unknown',
    async (scene) => {
      // Made before the payment, which would be too old for it otherwise.
      const second = await scene.request();
      const { op, hash } = await seen(scene);
      await second.post({ status: 'opened' });
      await second.post({ status: 'tx_requested', stepId: 'step_1', account: op.from });
      scene.mine(hash);
      await until(op.agent, ({ status }) => status === 'completed');
      await second.claim(hash);
      return second;
    },
  ],
  [
    ReasonCode.TooOld,
    'unknown',
    async ({ request, chain, mine }) => {
      const before = chain.send({ from: hex(0x9001, 40), to: TO, data: DATA });
      mine(before);
      const op = await request();
      await op.ask();
      await op.claim(before);
      return op;
    },
  ],
  [
    ReasonCode.SenderUnbound,
    'unknown',
    async ({ request, chain, mine }) => {
      const op = await request();
      const hash = chain.send({ from: OTHER, to: TO, data: DATA });
      mine(hash);
      await op.claim(hash);
      return op;
    },
  ],
  [
    ReasonCode.Reorged,
    'unknown',
    async (scene) => {
      const { op, hash } = await seen(scene);
      scene.chain.mine(hash);
      await until(op.agent, ({ steps }) => steps[0].blockNumber !== undefined);
      scene.chain.reorg(hash);
      return op;
    },
  ],
  [
    ReasonCode.RpcUnavailable,
    'unknown',
    ended(async (op, { chain }) => {
      chain.down = true;
      await op.claim(op.pay());
    }),
  ],
  [
    ReasonCode.RpcWrongChain,
    'unknown',
    ended(async (op, { chain }) => {
      chain.elsewhere = true;
      await op.claim(op.pay());
    }),
  ],
  [ReasonCode.SentAfterCancel, 'done', sentAfter((op) => op.cancel())],
  [ReasonCode.SentAfterDecline, 'done', sentAfter((op) => op.decline())],
  [
    ReasonCode.SentAfterExpiry,
    'done',
    sentAfter((_, { world }) => {
      world.clock.now += TTL_MS + 1;
    }),
  ],
  [
    ReasonCode.PaidTwice,
    'exceeded',
    ended(async (op, { mine }) => {
      await op.answer('said_not_signed');
      await op.ask();
      const [one, two] = [op.pay(), op.pay()];
      await op.claim(one);
      await op.claim(two);
      mine(one);
      mine(two);
    }),
  ],
];

describe.concurrent('review:8 the agent is told', { timeout: 90_000 }, () => {
  it.each(ROWS)('review:8 %s, effect %s', async (code, effect, play) => {
    const scene = await openScene();
    const op = await play(scene);
    const data: Wire = await until(op.agent, ({ reasonCode }: Wire) => reasonCode === code, {
      timeoutMs: 60_000,
    });
    expect(data).toMatchObject({ reasonCode: code, effect });
    await scene.world.close();
  });

  it('review:8 UNVERIFIED, effect unknown', async () => {
    const { request, world } = await openScene(false);
    const op = await request();
    await op.ask();
    await op.claim(hex(0x55));
    expect(await op.agent()).toMatchObject({ reasonCode: 'UNVERIFIED', effect: 'unknown' });
    await world.close();
  });
});

it('review:8 no code is left out', () => {
  // These need a smart account, and are provoked with the proofs of such accounts.
  const elsewhere = [ReasonCode.SafePending, ReasonCode.InnerCallUnproven];
  const here = [...ROWS.map(([code]) => code), ReasonCode.Unverified];
  expect([...here, ...elsewhere].sort()).toEqual(Object.values(ReasonCode).sort());
});

it('review:1.8 a chain that cannot be looked at stands in /health, with since when, until it can be', {
  timeout: 30_000,
}, async () => {
  const scene = await openScene();
  const health = async () => (await scene.world.api('/health')).json;
  expect((await health()).chains).toBeUndefined();
  scene.chain.down = true;
  const op = await scene.request();
  await op.ask();
  await op.claim(op.pay());
  const { chains } = await until(health, (shown: Wire) => shown.chains !== undefined);
  expect(chains).toEqual([{ chainId: 1879, code: 'RPC_UNAVAILABLE', since: '2026-11-15T12:00:00.000Z' }]);
  scene.chain.down = false;
  await until(health, (shown: Wire) => shown.chains === undefined);
  await scene.world.close();
});
