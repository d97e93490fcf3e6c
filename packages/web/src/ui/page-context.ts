import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Desk } from '../flow/desk.js';
import type { Family } from '../flow/family.js';
import type { SignDesk } from '../flow/sign-desk.js';
import type { WalletDesk } from '../flow/wallet-desk.js';

export interface Page {
  readonly desk: Desk;
  readonly wallet: WalletDesk;
  readonly family: Family;
  readonly signing: SignDesk;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('outside of a page');
  return page;
}
