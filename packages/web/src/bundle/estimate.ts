/** Asks the wallet's node what a deployment will cost, before the first prompt. */
import type { ChainInfo } from '../model/chain-info.js';
import type { Step } from '../model/record.js';
import { forWallet } from '../transaction/normalise.js';
import type { Provider } from '../wallet/provider.js';
import { type Addresses, deploymentTransaction, placeholders, resolvedText } from './deployment.js';

export interface Estimate {
  readonly gas: ReadonlyMap<string, bigint>;
  readonly price: bigint;
  readonly balance: bigint;
}

/** As long as a real address, so that the text costs the same. */
const STAND_IN = `0x${'11'.repeat(20)}`;

export async function estimateDeployment(
  provider: Provider,
  account: string,
  chain: ChainInfo,
  steps: readonly Step[],
  addressesOf: (bundleId: string) => Addresses,
): Promise<Estimate> {
  const code = chain.creationCode;
  const gas = new Map<string, bigint>();
  for (const { id, status, deployment } of steps) {
    if (!code || !deployment || (status !== 'pending' && status !== 'failed')) continue;
    const text = resolvedText(deployment, withStandIns(deployment.text, addressesOf(deployment.bundleId)));
    if (text === undefined) continue;
    const transaction = forWallet(deploymentTransaction(deployment, text, code), account, chain.chainId);
    gas.set(id, await quantity(provider, 'eth_estimateGas', [transaction]));
  }
  const price = await quantity(provider, 'eth_gasPrice', []);
  const balance = await quantity(provider, 'eth_getBalance', [account, 'latest']);
  return { gas, price, balance };
}

function withStandIns(text: string, known: Addresses): Addresses {
  return new Map(placeholders(text).map((alias) => [alias, known.get(alias) ?? STAND_IN]));
}

async function quantity(provider: Provider, method: string, params: readonly unknown[]): Promise<bigint> {
  const answer = await provider.request({ method, params });
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]+$/.test(answer))
    throw new Error('The node gave no estimate.');
  return BigInt(answer);
}

export const totalGas = ({ gas }: Estimate): bigint => [...gas.values()].reduce((sum, one) => sum + one, 0n);
