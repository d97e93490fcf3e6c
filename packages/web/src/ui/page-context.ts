import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Family } from '../flow/family.js';
import type { Outbox } from '../flow/outbox.js';
import type { Review } from '../flow/review.js';
import type { Signing } from '../flow/signing.js';
import type { WalletConnection } from '../flow/wallet-connection.js';

export interface Page {
  readonly review: Review;
  readonly wallet: WalletConnection;
  readonly family: Family;
  readonly signing: Signing;
  readonly outbox: Outbox;
}

/** Of every page, also of those that show no record. */
export const OutboxContext = createContext<Outbox | undefined>(undefined);

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('outside of a page');
  return page;
}
