import { forWallet, normalise, withNonce } from '../transaction/normalise.js';
import { sendTransaction } from '../wallet/wallet-calls.js';
import { Blocked, type Family } from './family.js';
import { replacedNonce } from './replaced-nonce.js';
import type { Review } from './review.js';

export function operationFamily(review: Review): Family {
  const post = async (body: object) => void (await review.api.post('status', body));
  return {
    opened: () => post({ status: 'opened' }),
    connected: (account) => post({ status: 'wallet_connected', account }),
    askReport: ({ id }, { account, clientAsk }) => ({
      action: 'status',
      body: { status: 'tx_requested', stepId: id, stepStatus: 'requested', account, clientAsk },
    }),
    claimReport: ({ id }, { txHash, source }) => ({
      action: 'status',
      body: {
        status: 'tx_submitted',
        stepId: id,
        stepStatus: 'submitted',
        txHash,
        ...(source && { source }),
      },
    }),
    endReport: ({ id }, end) => ({
      action: 'status',
      body: { status: 'failed', stepId: id, stepStatus: 'failed', ...end },
    }),
    declined: () => post({ status: 'cancelled' }),
    prepare: async (record, step, signer) => {
      const { chainId } = record;
      const { provider, account } = signer;
      const { transaction, flaw } = normalise(step.txRequest, chainId);
      if (!transaction) throw new Blocked(flaw);
      const earlier = await replacedNonce(record, step, signer);
      return {
        ask: async ({ nonce }) => ({
          txHash: await sendTransaction(
            provider,
            forWallet(withNonce(transaction, nonce ?? earlier), account, chainId),
          ),
        }),
      };
    },
    finish: async () => undefined,
  };
}
