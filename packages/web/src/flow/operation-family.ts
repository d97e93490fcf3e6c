import { forWallet, normalise } from '../transaction/normalise.js';
import { sendTransaction } from '../wallet/wallet-calls.js';
import { Blocked, type Family } from './family.js';
import type { Review } from './review.js';

export function operationFamily(review: Review): Family {
  const post = (body: object) => review.api.post('status', body);
  return {
    opened: () => post({ status: 'opened' }),
    connected: (account) => post({ status: 'wallet_connected', account }),
    requested: ({ id }, account) =>
      post({ status: 'tx_requested', stepId: id, stepStatus: 'requested', account }),
    submitted: ({ id }, { txHash }) =>
      post({ status: 'tx_submitted', stepId: id, stepStatus: 'submitted', txHash }),
    failed: ({ id }, error) => post({ status: 'failed', stepId: id, stepStatus: 'failed', error }),
    declined: () => post({ status: 'cancelled' }),
    prepare: async (step, { provider, account }) => {
      const chainId = review.chain.value?.chainId ?? 0;
      const { transaction, flaw } = normalise(step.txRequest, chainId);
      if (!transaction) throw new Blocked(flaw);
      return {
        ask: async () => ({
          txHash: await sendTransaction(provider, forWallet(transaction, account, chainId)),
        }),
      };
    },
    finish: async () => undefined,
  };
}
