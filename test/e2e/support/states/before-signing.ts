/** Before a wallet is asked. */
import { button } from '../drive.js';
import { ACCOUNT, OTHER, operation, step } from '../records.js';
import { type State, shows } from './scene.js';

const EARLIER = `op_${'7'.repeat(32)}`;
const AT = new Date(Date.now() - 3_600_000).toISOString();

export const beforeSigning: readonly State[] = [
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
    name: 'operation-changed',
    prepare: shows(() => {
      const record = operation();
      return { ...record, digest: `sha256:${'0'.repeat(64)}` };
    }),
  },
  { name: 'operation-empty', prepare: shows(() => operation({ steps: [] })) },
  {
    name: 'decline',
    prepare: async (scene) => {
      await shows(() => operation())(scene);
      await button(scene.page, 'Decline this request').click();
    },
  },
  { name: 'operation-unwatched', phone: true, prepare: shows(() => operation({ watched: false }), true) },
  {
    name: 'operation-repeated',
    prepare: shows(() => operation({ twin: { id: EARLIER, createdAt: AT, effect: 'unknown' } })),
  },
  {
    name: 'operation-twin-paid',
    phone: true,
    prepare: shows(
      () => operation({ twin: { id: EARLIER, createdAt: AT, effect: 'done', doneAt: AT } }),
      true,
    ),
  },
  {
    name: 'operation-silent',
    prepare: shows(() => ({ ...operation(), chainSight: 'silent' as const }), true),
  },
  {
    name: 'operation-another-chain',
    phone: true,
    prepare: shows(() => ({ ...operation(), chainSight: 'another_chain' as const }), true),
  },
  {
    name: 'operation-short-balance',
    phone: true,
    prepare: async (scene) => {
      await scene.wallet.rpc('anvil_setBalance', [scene.poor.address, '0xaa87bee538000']);
      scene.wallet.account = scene.poor;
      const steps = [step('s', 'Pay', { to: OTHER, value: '10000000000000000' })];
      await shows(() => operation({ steps }), true)(scene);
      await scene.page.locator('[data-warning="LOW_BALANCE"]').waitFor();
    },
  },
  {
    name: 'operation-smart-account',
    prepare: async (scene) => {
      scene.wallet.account = scene.poor;
      await scene.wallet.rpc('anvil_setCode', [scene.poor.address, '0x00']);
      await shows(() => operation(), true)(scene);
      await scene.page.locator('[data-warning="TOKENS_ONLY"]').waitFor();
      await scene.wallet.rpc('anvil_setCode', [scene.poor.address, '0x']);
    },
  },
];
