/** Every page in every state that a person may meet: for pictures, and for the accessibility check. */
import type { BrowserContext, Page } from 'playwright-core';
import type { LocalAccount } from 'viem';
import type { Step } from '../../../packages/web/src/model/record.js';
import { button, connect, stepIs } from './drive.js';
import * as records from './records.js';
import type { StubServer } from './stub-server.js';
import type { TestWallet } from './test-wallet.js';

export interface Scene {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly stub: StubServer;
  readonly wallet: TestWallet;
  /** An account that holds nothing. */
  readonly poor: LocalAccount;
}

export interface State {
  readonly name: string;
  readonly dark?: boolean;
  readonly phone?: boolean;
  prepare(scene: Scene): Promise<void>;
}

const { operation, bundle, sessions, step, OTHER, TOKEN, ACCOUNT, HASH } = records;
const ready = (page: Page) => page.locator('h1').waitFor();

const shows =
  (
    make: () => ReturnType<typeof operation> | ReturnType<typeof bundle> | ReturnType<typeof sessions>,
    walletNeeded = false,
  ) =>
  async ({ page, context, stub, wallet }: Scene) => {
    if (walletNeeded) await wallet.install(context);
    await page.goto(stub.add(make()));
    await ready(page);
    await page.getByText('Compare with your agent').waitFor();
    if (walletNeeded) await connect(page);
  };

const sent = (rest: Partial<Step>): Partial<Step> => ({
  status: 'submitted',
  effect: 'unknown',
  txHash: HASH,
  ...rest,
});
const twoSteps = (first: Partial<Step> = {}) => [
  step('approve', 'Allow the exchange', { to: TOKEN, data: records.approveData(OTHER, 500_000_000n) }, first),
  step('pay', 'Send the coins', { to: OTHER, value: '25000000000000000' }),
];

/** Two lists of them are more than a page explains. */
const MANY = Array.from({ length: 2_500 }, () => 1n);

export const states: readonly State[] = [
  { name: 'operation', prepare: shows(() => operation(), true) },
  { name: 'operation-dark', dark: true, prepare: shows(() => operation(), true) },
  { name: 'operation-phone', phone: true, prepare: shows(() => operation(), true) },
  { name: 'operation-no-wallet', prepare: shows(() => operation()) },
  {
    name: 'operation-wrong-network',
    prepare: async (scene) => {
      scene.wallet.chainId = 1;
      await shows(() => operation(), true)(scene);
    },
  },
  {
    name: 'operation-wrong-account',
    prepare: shows(
      () => operation({ steps: [step('s', 'Pay', { from: OTHER, to: ACCOUNT, value: '1' })] }),
      true,
    ),
  },
  {
    name: 'operation-warnings',
    prepare: shows(() =>
      operation({
        type: 'mixed',
        summary: { title: 'Claim your reward\u202e of 0 ETH' },
        steps: [
          step('a', 'Harmless step', { to: TOKEN, data: records.approveData(OTHER) }),
          step('b', 'Get reward', { to: OTHER, value: '1000000000000000000', data: '0xdeadbeef' }),
          step('c', 'Set up', { data: '0x6001600055', gas: '100000' }),
          step('d', 'Move', { to: TOKEN, data: records.transferData(TOKEN, 5n) }),
        ],
      }),
    ),
  },
  {
    name: 'operation-more-warnings',
    prepare: shows(() =>
      operation({
        type: 'mixed',
        summary: { title: 'Many things at once', signatures: { h: 'mint(address,uint256)' } },
        steps: [
          step('a', 'Collection', {
            to: TOKEN,
            data: records.call('setApprovalForAll(address,bool)', [OTHER, true]),
          }),
          step('b', 'New owner', { to: TOKEN, data: records.call('transferOwnership(address)', [OTHER]) }),
          step('c', 'Helper', { to: TOKEN, data: records.call('addExecutor(address)', [OTHER]) }),
          step('d', 'Collect', {
            to: TOKEN,
            data: records.call('transferFrom(address,address,uint256)', [OTHER, ACCOUNT, 5n]),
          }),
          step('e', 'Burn', { to: TOKEN, value: '5', data: records.transferData(`0x${'0'.repeat(40)}`, 5n) }),
          step('f', 'Broken', { to: TOKEN, data: '0xa9059cbb00' }),
          step('g', 'Nothing', { to: OTHER }),
          step('h', 'Mint', { to: TOKEN, data: '0xdeadbeef' }),
          step('i', 'Drop', {
            to: TOKEN,
            data: records.call('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
              ACCOUNT,
              OTHER,
              MANY,
              MANY,
              '0x',
            ]),
          }),
        ],
      }),
    ),
  },
  {
    name: 'operation-rejected',
    prepare: async (scene) => {
      scene.wallet.decide = () => 'reject';
      await shows(() => operation(), true)(scene);
      await button(scene.page, 'Sign in the wallet').click();
      await stepIs(scene.page, 1, 'failed');
    },
  },
  {
    name: 'operation-unanswered',
    prepare: shows(() =>
      operation({
        status: 'tx_requested',
        effect: 'unknown',
        steps: twoSteps({ status: 'requested', effect: 'unknown' }),
      }),
    ),
  },
  {
    name: 'operation-closing',
    prepare: shows(() =>
      operation({
        status: 'tx_requested',
        effect: 'unknown',
        closing: { by: 'creator', at: new Date().toISOString() },
        steps: twoSteps({ status: 'requested', effect: 'unknown' }),
      }),
    ),
  },
  {
    name: 'operation-said-not-signed',
    prepare: async (scene) => {
      scene.wallet.decide = () => new Promise(() => undefined);
      await shows(() => operation({ watched: true }), true)(scene);
      await button(scene.page, 'Sign in the wallet').click();
      await scene.page.getByText('Confirm in your wallet').waitFor();
      await scene.page.reload();
      await button(scene.page, 'I did not sign').click();
      await stepIs(scene.page, 1, 'failed');
      await connect(scene.page);
    },
  },
  {
    name: 'operation-unreported',
    prepare: async (scene) => {
      const { page, context } = scene;
      await shows(() => operation(), true)(scene);
      scene.wallet.decide = async () => {
        await context.route('**/api/**', (route) => route.abort());
        return 'approve' as const;
      };
      await button(page, 'Sign in the wallet').click();
      await page.getByText('Your wallet has sent this').waitFor();
    },
  },
  {
    name: 'operation-not-known',
    prepare: shows(() =>
      operation({
        status: 'tx_requested',
        effect: 'unknown',
        closed: true,
        reasonCode: 'UNANSWERED',
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            { status: 'failed', effect: 'unknown', reasonCode: 'UNANSWERED' },
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-paid-twice',
    prepare: shows(() =>
      operation({
        status: 'completed',
        effect: 'exceeded',
        verification: 'matched',
        reasonCode: 'PAID_TWICE',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            {
              ...sent({
                status: 'confirmed',
                effect: 'exceeded',
                verification: 'matched',
                reasonCode: 'PAID_TWICE',
              }),
              claims: [HASH, `0x${'5e'.repeat(32)}`].map((value) => ({
                kind: 'tx' as const,
                value,
                source: 'page' as const,
                verification: 'matched' as const,
              })),
            },
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-changed',
    prepare: shows(() => {
      const record = operation();
      return { ...record, digest: `sha256:${'0'.repeat(64)}` };
    }),
  },
  {
    name: 'operation-second-step',
    prepare: shows(
      () =>
        operation({
          status: 'tx_submitted',
          account: ACCOUNT,
          steps: twoSteps(sent({ verification: 'pending', blockNumber: 12 })),
        }),
      true,
    ),
  },
  {
    name: 'operation-verifying',
    prepare: shows(() =>
      operation({
        status: 'tx_submitted',
        verification: 'pending',
        account: ACCOUNT,
        steps: [step('s', 'Pay', { to: OTHER, value: '1' }, sent({ verification: 'pending' }))],
      }),
    ),
  },
  {
    name: 'operation-unverified',
    prepare: shows(() =>
      operation({
        status: 'tx_submitted',
        account: ACCOUNT,
        steps: [step('s', 'Pay', { to: OTHER, value: '1' }, sent({}))],
      }),
    ),
  },
  {
    name: 'operation-mismatched',
    prepare: shows(() =>
      operation({
        status: 'tx_submitted',
        verification: 'mismatched',
        effect: 'different',
        reasonCode: 'MISMATCHED',
        reasonDetail: 'to_differs',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            sent({
              verification: 'mismatched',
              effect: 'different',
              reasonCode: 'MISMATCHED',
              reasonDetail: 'to_differs',
            }),
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-completed',
    prepare: shows(() =>
      operation({
        status: 'completed',
        effect: 'done',
        verification: 'matched',
        account: ACCOUNT,
        steps: [
          step(
            's',
            'Pay',
            { to: OTHER, value: '1' },
            sent({ status: 'confirmed', effect: 'done', verification: 'matched', blockNumber: 12 }),
          ),
        ],
      }),
    ),
  },
  {
    name: 'operation-declined',
    prepare: shows(() =>
      operation({ status: 'cancelled', closing: { by: 'holder', at: new Date().toISOString() } }),
    ),
  },
  { name: 'operation-empty', prepare: shows(() => operation({ steps: [] })) },
  {
    name: 'decline',
    prepare: async (scene) => {
      await shows(() => operation())(scene);
      await button(scene.page, 'Decline this request').click();
    },
  },
  {
    name: 'expired',
    prepare: async ({ page, stub }) => {
      const record = operation();
      stub.expire(record.id);
      await page.goto(stub.add(record));
      await page.locator('[data-gone="expired"]').waitFor();
    },
  },
  {
    name: 'not-found',
    prepare: async ({ page, stub }) => {
      await page.goto(`${stub.url}/operations/op_${'0'.repeat(32)}#k=wrong`);
      await page.locator('[data-gone="not-found"]').waitFor();
    },
  },
  {
    name: 'part-of-a-link',
    prepare: async ({ page, stub }) => {
      await page.goto(`${stub.url}/operations/op_${'0'.repeat(32)}`);
      await page.locator('[data-gone="no-secret"]').waitFor();
    },
  },
  {
    name: 'bundle',
    prepare: async (scene) => {
      await shows(() => bundle(), true)(scene);
      await scene.page.getByText('What it will cost').waitFor();
    },
  },
  { name: 'bundle-dark', dark: true, prepare: shows(() => bundle(), true) },
  { name: 'bundle-phone', phone: true, prepare: shows(() => bundle()) },
  {
    name: 'bundle-warnings',
    prepare: async (scene) => {
      await scene.wallet.rpc('anvil_setBalance', ['0x14dC79964da2C08b23698B3D3cc7Ca32193d9955', '0x1']);
      scene.wallet.account = scene.poor;
      const warnings = [
        {
          level: 'warning',
          code: 'XRC137_ITEM_UNUSED',
          message: 'RejectRule is not used by any step',
        } as const,
      ];
      await shows(() => bundle({ validation: { warnings } }, 'x'.repeat(33_000)), true)(scene);
      await scene.page.getByText('may not hold enough').waitFor();
    },
  },
  {
    name: 'bundle-deployed',
    prepare: shows(() => {
      const record = bundle();
      const steps = record.steps.map((one, index) => ({
        ...one,
        status: 'confirmed' as const,
        effect: 'done' as const,
        verification: 'matched' as const,
        txHash: HASH,
        contract: `0x${String(index + 1).repeat(40)}`,
      }));
      return {
        ...record,
        status: 'deployed',
        effect: 'done',
        verification: 'matched',
        account: ACCOUNT,
        steps,
      };
    }),
  },
  { name: 'session', prepare: shows(() => sessions(1), true) },
  { name: 'session-dark', dark: true, prepare: shows(() => sessions(1), true) },
  {
    name: 'session-queue',
    prepare: shows(() => {
      const record = sessions(3);
      const [first, second, third] = record.steps;
      if (!first || !second || !third) throw new Error('three steps');
      const started = {
        status: 'submitted',
        effect: 'unknown',
        verification: 'pending',
        sessionId: '17',
        owner: ACCOUNT,
      } as const;
      return {
        ...record,
        account: ACCOUNT,
        steps: [
          { ...first, ...started },
          { ...second, status: 'failed', reasonCode: 'REJECTED', error: 'not enough gas' },
          third,
        ],
      };
    }, true),
  },
  {
    name: 'session-phone',
    phone: true,
    prepare: shows(() => sessions(1)),
  },
];
