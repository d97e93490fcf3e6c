/** Wallets announce themselves (EIP-6963); `window.ethereum` is used only if none does. */
import { plainText } from '../format/plain-text.js';
import { isProvider, type Wallet } from './provider.js';

const MAX_WALLETS = 20;
const ICON = /^data:image\/(?:png|webp|gif|jpeg|svg\+xml)[;,]/;

export function discoverWallets(found: (wallets: readonly Wallet[]) => void): void {
  const wallets = new Map<string, Wallet>();
  const tell = () => found(wallets.size > 0 ? [...wallets.values()] : fallback());
  window.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = announced(event);
    if (!wallet || wallets.size >= MAX_WALLETS) return;
    wallets.set(wallet.id, wallet);
    tell();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  tell();
}

function announced(event: Event): Wallet | undefined {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  if (detail === null || typeof detail !== 'object' || !('info' in detail) || !('provider' in detail))
    return undefined;
  const { info, provider } = detail;
  if (!isProvider(provider) || info === null || typeof info !== 'object') return undefined;
  const { uuid, name, icon } = info as Readonly<Record<string, unknown>>;
  if (typeof uuid !== 'string') return undefined;
  const shown = typeof icon === 'string' && ICON.test(icon) ? { icon } : {};
  return { id: uuid, name: plainText(name, 60) || 'Wallet', provider, ...shown };
}

function fallback(): readonly Wallet[] {
  const injected: unknown = 'ethereum' in window ? window.ethereum : undefined;
  return isProvider(injected) ? [{ id: 'injected', name: 'Browser wallet', provider: injected }] : [];
}
