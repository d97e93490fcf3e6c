/**
 * The contract suite of the store port: every store passes every case. No test framework is imported; a store's
 * test loops over `storeContract` and calls `run` with a function that opens an empty store.
 */
import { agentCases } from './store-contract/agents.js';
import type { ContractCase } from './store-contract/case.js';
import { credentialCases } from './store-contract/credentials.js';
import { cursorCases } from './store-contract/cursors.js';
import { durabilityCases } from './store-contract/durability.js';
import { fidelityCases } from './store-contract/fidelity.js';
import { listCases } from './store-contract/lists.js';
import { readCases } from './store-contract/reads.js';
import { receiptCases } from './store-contract/receipts.js';
import { twoWriterCases } from './store-contract/two-writers.js';
import { usageCases } from './store-contract/usage.js';
import { writeCases } from './store-contract/writes.js';

export type { ContractCase, JoinStore, OpenStore, ReopenStore } from './store-contract/case.js';
export { append, chain, entryOf, rowOf, store as storeAll, streamRef } from './store-contract/fixtures.js';
export { withScrambledCursors } from './store-contract/scrambled-cursors.js';

export const storeContract: readonly ContractCase[] = [
  ...writeCases,
  ...readCases,
  ...cursorCases,
  ...listCases,
  ...fidelityCases,
  ...durabilityCases,
  ...credentialCases,
  ...receiptCases,
  ...agentCases,
  ...usageCases,
  ...twoWriterCases,
];
