/** Which wallet, which account, which chain: kept up to date by the wallet's own events. */

import { isAddress } from '@handover/evm';
import { type Signal, signal } from '@preact/signals';
import { discoverWallets } from '../wallet/discover.js';
import type { Wallet } from '../wallet/provider.js';
import { accountOf, chainNumber, chainOf, switchChain } from '../wallet/wallet-calls.js';
import { errorText, OwnError } from '../wallet/wallet-error.js';
import type { Review } from './review.js';

export interface WalletConnection {
  readonly found: Signal<readonly Wallet[]>;
  readonly chosen: Signal<Wallet | undefined>;
  readonly account: Signal<string | undefined>;
  readonly chainId: Signal<number | undefined>;
  readonly connecting: Signal<boolean>;
  connect(wallet: Wallet): Promise<void>;
  switchChain(): Promise<void>;
  /** Asks the wallet again: its events may be late. */
  look(): Promise<void>;
}

export function createWalletConnection(
  review: Review,
  connected: (account: string) => Promise<void>,
): WalletConnection {
  const found = signal<readonly Wallet[]>([]);
  const chosen = signal<Wallet | undefined>(undefined);
  const account = signal<string | undefined>(undefined);
  const chainId = signal<number | undefined>(undefined);
  const connecting = signal(false);
  const listening = new Set<string>();

  /** A complaint about the account or the network is answered by another one. */
  const forgetComplaint = () => {
    if (review.notice.value?.tone === 'error') review.notice.value = undefined;
  };
  const follow = ({ id, provider }: Wallet) => {
    if (listening.has(id)) return;
    listening.add(id);
    const changed = (change: () => void) => {
      if (chosen.value?.id !== id) return;
      change();
      forgetComplaint();
    };
    provider.on?.('accountsChanged', (value) =>
      changed(() => {
        const first: unknown = Array.isArray(value) ? value[0] : undefined;
        account.value = isAddress(first) ? first.toLowerCase() : undefined;
      }),
    );
    provider.on?.('chainChanged', (value) =>
      changed(() => {
        chainId.value = chainNumber(value);
      }),
    );
  };
  const guarded = async (work: () => Promise<void>) => {
    if (connecting.value) return;
    connecting.value = true;
    review.notice.value = undefined;
    try {
      await work();
    } catch (thrown) {
      review.notice.value = { tone: 'error', text: errorText(thrown) };
    } finally {
      connecting.value = false;
    }
  };
  const look = async () => {
    const provider = chosen.value?.provider;
    if (!provider) return;
    account.value = await accountOf(provider, false);
    chainId.value = await chainOf(provider);
  };
  const report = async () => {
    const { value } = account;
    if (value && chainId.value === review.chain.value?.chainId) await connected(value);
  };
  discoverWallets((wallets) => {
    found.value = wallets;
  });
  return {
    found,
    chosen,
    account,
    chainId,
    connecting,
    look,
    connect: (wallet) =>
      guarded(async () => {
        const granted = await accountOf(wallet.provider, true);
        if (!granted) throw new OwnError('The wallet shared no account.');
        follow(wallet);
        chosen.value = wallet;
        account.value = granted;
        chainId.value = await chainOf(wallet.provider);
        await report();
      }),
    switchChain: () =>
      guarded(async () => {
        const chain = review.chain.value;
        if (!chosen.value || !chain) return;
        await switchChain(chosen.value.provider, chain);
        await look();
        await report();
      }),
  };
}
