/** Contracts to deploy. */
import { ACCOUNT, bundle, HASH } from '../records.js';
import { type State, shows } from './scene.js';

export const bundles: readonly State[] = [
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
];
