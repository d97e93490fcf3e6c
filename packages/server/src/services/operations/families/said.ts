import type { TransactionCheck } from '../../../chain/check-transaction.js';
import type { Said } from './family.js';

/** What is recorded after a check of a transaction. */
export const said = ({ verdict, block, reason }: TransactionCheck): Said => ({
  verdict,
  ...(block && { block }),
  ...(reason !== undefined && { reason }),
});
