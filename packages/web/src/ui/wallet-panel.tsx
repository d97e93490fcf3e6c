import { expectedAccount } from '../flow/expected-account.js';
import { chainName } from '../model/chain-info.js';
import { currentStep } from '../model/progress.js';
import type { HandoffRecord } from '../model/record.js';
import type { Wallet } from '../wallet/provider.js';
import { sameAddress } from '../wallet/wallet-calls.js';
import { Address } from './address.js';
import { Icon } from './icon.js';
import { usePage } from './page-context.js';

export function WalletPanel({ record }: { readonly record: HandoffRecord }) {
  const { wallet } = usePage();
  const account = wallet.account.value;
  return (
    <section class="inset" aria-labelledby="wallet-title">
      <h4 id="wallet-title">Your wallet</h4>
      {account === undefined ? <Choice /> : <Connected record={record} account={account} />}
    </section>
  );
}

function Choice() {
  const { wallet } = usePage();
  const { value: wallets } = wallet.found;
  if (wallets.length === 0)
    return (
      <p>
        No wallet was found in this browser. Install or unlock one, then reload this page. Nothing can be
        signed without it; reading and declining work.
      </p>
    );
  return (
    <>
      <p class="quiet">Connecting shows this page your address. It signs nothing.</p>
      <ul class="wallets">
        {wallets.map((one) => (
          <li key={one.id}>
            <button type="button" disabled={wallet.connecting.value} onClick={() => void wallet.connect(one)}>
              <WalletIcon wallet={one} />
              Connect {one.name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function WalletIcon({ wallet: { icon } }: { readonly wallet: Wallet }) {
  return icon === undefined ? <Icon name="wallet" /> : <img src={icon} alt="" width="24" height="24" />;
}

function Connected({ record, account }: { readonly record: HandoffRecord; readonly account: string }) {
  const { review, wallet } = usePage();
  const expected = expectedAccount(record, currentStep(record));
  const wrongChain = wallet.chainId.value !== record.chainId;
  return (
    <>
      <p>
        {wallet.chosen.value?.name}, account <Address value={account} />
      </p>
      {expected !== undefined && !sameAddress(expected, account) && (
        <p class="notice error" role="alert">
          <Icon name="warning" />
          <span>
            This must be signed by <Address value={expected} />. Choose that account in the wallet.
          </span>
        </p>
      )}
      {wrongChain ? (
        <div class="notice error" role="alert">
          <Icon name="warning" />
          <div>
            <p>
              The wallet is on chain {wallet.chainId.value ?? 'unknown'}; this request is for{' '}
              {chainName(review.chain.value, record.chainId)}.
            </p>
            <button
              type="button"
              disabled={wallet.connecting.value}
              onClick={() => void wallet.switchChain()}
            >
              Switch to {review.chain.value?.name}
            </button>
          </div>
        </div>
      ) : (
        <p class="quiet good">
          <Icon name="done" /> On the right network.
        </p>
      )}
    </>
  );
}
