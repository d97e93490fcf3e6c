import { deploymentSteps, isAddress } from '@handover/evm';
import { type Signal, signal } from '@preact/signals';
import { type Addresses, deploymentTransaction, knownAddresses, resolvedText } from '../bundle/deployment.js';
import { bundleResult } from '../bundle/result.js';
import type { BundleRecord, Step } from '../model/record.js';
import { forWallet, withNonce } from '../transaction/normalise.js';
import type { Provider } from '../wallet/provider.js';
import { sendTransaction } from '../wallet/wallet-calls.js';
import { Blocked, type Family } from './family.js';
import { replacedNonce } from './replaced-nonce.js';
import type { Review } from './review.js';

export interface BundleFamily extends Family {
  /** Addresses of created contracts by step id, read from receipts. */
  readonly found: Signal<ReadonlyMap<string, string>>;
  addressesOf(bundleId: string): Addresses;
  /** Reads the receipts of what was sent, through the wallet's node. */
  findContracts(provider: Provider): Promise<void>;
}

export function bundleFamily(review: Review): BundleFamily {
  const found = signal<ReadonlyMap<string, string>>(new Map());
  const record = () => review.record.value as BundleRecord;
  const post = async (body: object) => void (await review.api.post('status', body));
  const onStep = ({ id }: Step, rest: object) => ({ status: 'imported', stepId: id, ...rest });
  const addressesOf = (bundleId: string) => knownAddresses(record().steps, bundleId, found.value);
  const addressOf = (step: Step) => step.deployment?.reuse ?? step.contract ?? found.value.get(step.id);
  const findContracts = async (provider: Provider) => {
    for (const step of record().steps) {
      if (step.txHash === undefined || addressOf(step) !== undefined) continue;
      const address = await createdBy(provider, step.txHash);
      if (address) found.value = new Map(found.value).set(step.id, address);
    }
  };
  let signedWith: Provider | undefined;
  return {
    found,
    addressesOf,
    findContracts,
    opened: () => post({ status: 'opened' }),
    connected: (account) => post({ status: 'imported', account }),
    askReport: (step, { account, clientAsk }) => ({
      action: 'status',
      body: onStep(step, { stepStatus: 'requested', account, clientAsk }),
    }),
    claimReport: (step, { txHash, source }) => ({
      action: 'status',
      body: onStep(step, { stepStatus: 'submitted', txHash, ...(source && { source }) }),
    }),
    endReport: (step, end) => ({ action: 'status', body: onStep(step, { stepStatus: 'failed', ...end }) }),
    declined: () => post({ status: 'cancelled' }),
    prepare: async (from, step, signer) => {
      const { id } = step;
      const { provider, account } = signer;
      signedWith = provider;
      const chain = review.chain.value;
      // From the bundle itself, which the digest covers.
      const deployment = deploymentSteps((from as BundleRecord).bundle).find((one) => one.id === id);
      if (!deployment || !chain?.creationCode)
        throw new Blocked('This server has no contract code for this network.');
      await findContracts(provider);
      const text = resolvedText(deployment, addressesOf(deployment.bundleId));
      if (text === undefined)
        throw new Blocked('The address of a rule is not known yet. Wait a moment and try again.');
      const transaction = deploymentTransaction(deployment, text, chain.creationCode);
      const earlier = await replacedNonce(from, step, signer);
      return {
        ask: async ({ nonce }) => ({
          txHash: await sendTransaction(
            provider,
            forWallet(withNonce(transaction, nonce ?? earlier), account, chain.chainId),
          ),
        }),
      };
    },
    finish: async () => {
      if (record().result !== undefined) return;
      if (signedWith)
        await waitForContracts(
          () => findContracts(signedWith as Provider),
          () => record().steps.every(addressOf),
        );
      if (!record().steps.every(addressOf)) return;
      await review.api.post('result', bundleResult(record(), addressOf, new Date().toISOString()));
    },
  };
}

const WAIT_MS = 1_000;
const MAX_WAITS = 120;

async function waitForContracts(look: () => Promise<void>, done: () => boolean): Promise<void> {
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    await look();
    if (done()) return;
    await new Promise((resolve) => window.setTimeout(resolve, WAIT_MS));
  }
}

async function createdBy(provider: Provider, hash: string): Promise<string | undefined> {
  const receipt = await provider
    .request({ method: 'eth_getTransactionReceipt', params: [hash] })
    .catch(() => null);
  const address =
    receipt !== null && typeof receipt === 'object' && 'contractAddress' in receipt
      ? receipt.contractAddress
      : undefined;
  return isAddress(address) ? address.toLowerCase() : undefined;
}
