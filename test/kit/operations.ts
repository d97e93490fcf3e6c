/** The service of operations on a world's engine, with a chain that the test supplies. */
import type { JsonObject } from '@handover/core';
import type { ChainReader } from '../../packages/server/src/chain/port.js';
import type { SmartAccounts } from '../../packages/server/src/config/read-chains.js';
import { OpenAskIndex } from '../../packages/server/src/effects/chain/open-asks.js';
import { memoryKeyring } from '../../packages/server/src/keys/keyring.js';
import { memoryPepper } from '../../packages/server/src/keys/pepper.js';
import { receiptSigner } from '../../packages/server/src/proof/receipt-keys.js';
import { LargeWork } from '../../packages/server/src/services/large/large-work.js';
import type { Asked, BrowserService } from '../../packages/server/src/services/operations/browser-service.js';
import { RecordDocuments } from '../../packages/server/src/services/operations/documents.js';
import type { PostName } from '../../packages/server/src/services/operations/families/family.js';
import { createOperations } from '../../packages/server/src/services/operations/operations.js';
import { RecordReceipts } from '../../packages/server/src/services/operations/receipts.js';
import { mapOutcome, type Outcome } from '../../packages/server/src/services/outcome.js';
import type { World } from './world.js';

export interface OperationsOptions {
  readonly chains: ChainReader;
  readonly pepper?: Uint8Array;
  readonly publicBase?: string;
  readonly smartAccounts?: SmartAccounts;
}

export function operationsOf(world: World, options: OperationsOptions) {
  const { chains, pepper = memoryPepper(), publicBase = 'http://127.0.0.1:3100' } = options;
  const large = new LargeWork();
  const asks = new OpenAskIndex();
  const { deps, store, log, configuration } = world;
  const needs = {
    ...deps,
    store,
    documents: new RecordDocuments(store, deps.codec, large),
    receipts: new RecordReceipts(store, receiptSigner(memoryKeyring()), deps.codec),
    openAsks: asks,
    pepper,
    chains,
    confirmations: 3,
    smartAccounts: options.smartAccounts ?? { entryPoints: new Map(), safeSingletons: new Map() },
    settings: configuration.operations,
    publicBase: () => publicBase,
    log,
  };
  return { needs, asks, operations: createOperations(needs) };
}

/** The API of a page, with the values that its answers hold. */
export function pageOf(browser: BrowserService, asked: Asked) {
  const told = (outcome: Outcome<Uint8Array>): Outcome<JsonObject> =>
    mapOutcome(outcome, (json) => JSON.parse(Buffer.from(json).toString()) as JsonObject);
  return {
    get: async () => told(await browser.get(await openedBy(browser, asked))),
    post: async (name: PostName, value: unknown) =>
      told(await browser.post(await openedBy(browser, asked), name, { value })),
  };
}

/** The record as its page has it, by the secret. */
async function openedBy(browser: BrowserService, asked: Asked) {
  const found = await browser.open(asked);
  if (!found) throw new Error('the secret opens nothing');
  return found;
}
