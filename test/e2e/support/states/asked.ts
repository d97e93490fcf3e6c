/** A wallet was asked, and nothing is known of a hash. */
import { button, connect, stepIs } from '../drive.js';
import { OTHER, operation, step } from '../records.js';
import { type State, shows, showsStep, twoSteps } from './scene.js';

const AT = new Date().toISOString();
const ask = (standing: 'unclear' | 'quiet') => ({
  id: `ask_${'0'.repeat(24)}`,
  stepIds: ['s'],
  at: AT,
  standing,
});

export const asked: readonly State[] = [
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
      await shows(() => operation(), true)(scene);
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
    name: 'operation-wallet-error',
    phone: true,
    prepare: showsStep(
      { status: 'tx_requested', effect: 'unknown', reasonCode: 'UNANSWERED', asks: [ask('unclear')] },
      {
        status: 'requested',
        effect: 'unknown',
        reasonCode: 'UNANSWERED',
        walletCode: -32_003,
        error: 'Insufficient funds for gas * price + value',
      },
    ),
  },
  {
    name: 'operation-said-not-signed-withdrawn',
    prepare: showsStep(
      {
        status: 'failed',
        effect: 'unknown',
        reasonCode: 'NOT_SIGNED',
        closing: { by: 'holder', at: AT },
        asks: [ask('quiet')],
      },
      { status: 'failed', effect: 'unknown', reasonCode: 'NOT_SIGNED' },
    ),
  },
];
