/** Operations on this server: the folder's keys where the folder is its own, the configured chains, routes and effect. */
import { performance } from 'node:perf_hooks';
import type { Store } from '@handover/engine';
import { createChainReader } from '../chain/chain-reader.js';
import type { ChainReader } from '../chain/port.js';
import type { Configuration } from '../config/configuration.js';
import type { HttpApp } from '../doors/http/http-types.js';
import { operationRoutes } from '../doors/pages/api.js';
import { mountPages } from '../doors/pages/door.js';
import { memoryKeyring, openKeyring } from '../keys/keyring.js';
import { memoryPepper, openPepper } from '../keys/pepper.js';
import type { Log } from '../observe/log.js';
import { receiptSigner } from '../proof/receipt-keys.js';
import type { RuntimeParts } from '../services/dependencies.js';
import { createOperations, type Operations } from '../services/operations/operations.js';

export interface OpenOperationsOptions {
  readonly settings: Configuration;
  readonly runtime: RuntimeParts;
  readonly store: Store;
  /** The data folder is this server's to write to. */
  readonly ownsFolder: boolean;
  readonly log: Log;
  readonly monotonicNow?: () => number;
  readonly chains?: ChainReader;
}

export interface OpenedOperations {
  readonly operations: Operations;
  mount(app: HttpApp): void;
  /** With the address at which HTTP listens: URLs begin with it unless the configuration names another. */
  start(httpUrl: string): Promise<void>;
  /** Somebody is expected, or the chain is. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export function openOperations(options: OpenOperationsOptions): OpenedOperations {
  const { settings, runtime, store, ownsFolder, log, monotonicNow = () => performance.now() } = options;
  const folder = ownsFolder && settings.store.kind === 'sqlite' ? settings.store.folder : undefined;
  let base = settings.mcp.publicBaseUrl ?? '';
  const operations = createOperations({
    ...runtime,
    store,
    signer: receiptSigner(folder === undefined ? memoryKeyring() : openKeyring(folder)),
    pepper: folder === undefined ? memoryPepper() : openPepper(folder),
    chains: options.chains ?? createChainReader(settings.chains),
    confirmations: settings.chains.confirmations,
    settings: settings.operations,
    publicBase: () => base,
    log,
  });
  const { trustedProxy } = settings.http;
  return {
    operations,
    mount(app) {
      operationRoutes(app, { runtime, operations, monotonicNow, ...(trustedProxy && { trustedProxy }) });
      mountPages(app, { chains: settings.chains });
    },
    async start(httpUrl) {
      if (base === '') base = httpUrl;
      await operations.verifier.start();
    },
    isBusy: () => operations.verifier.alive > 0,
    close: () => operations.verifier.close(),
  };
}
