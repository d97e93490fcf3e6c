/** The service of operations on a world's engine, with a chain that the test supplies. */
import type { ChainReader } from '../../packages/server/src/chain/port.js';
import { memoryKeyring } from '../../packages/server/src/keys/keyring.js';
import { memoryPepper } from '../../packages/server/src/keys/pepper.js';
import { receiptSigner } from '../../packages/server/src/proof/receipt-keys.js';
import type { Asked, BrowserService } from '../../packages/server/src/services/operations/browser-service.js';
import { RecordDocuments } from '../../packages/server/src/services/operations/documents.js';
import { createOperations } from '../../packages/server/src/services/operations/operations.js';
import type { World } from './world.js';

export interface OperationsOptions {
  readonly chains: ChainReader;
  readonly pepper?: Uint8Array;
  readonly publicBase?: string;
}

export function operationsOf(world: World, options: OperationsOptions) {
  const { chains, pepper = memoryPepper(), publicBase = 'http://127.0.0.1:3100' } = options;
  const { deps, store, log, configuration } = world;
  const needs = {
    ...deps,
    store,
    documents: new RecordDocuments(store, deps.codec),
    signer: receiptSigner(memoryKeyring()),
    pepper,
    chains,
    confirmations: 3,
    settings: configuration.operations,
    publicBase: () => publicBase,
    log,
  };
  return { needs, operations: createOperations(needs) };
}

/** The record as its page has it, by the secret. */
export async function openedBy(browser: BrowserService, asked: Asked) {
  const found = await browser.open(asked);
  if (!found) throw new Error('the secret opens nothing');
  return found;
}
