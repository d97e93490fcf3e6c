/** Operations on this server: the folder's keys where the folder is its own, the configured chains, routes and effect. */
import { performance } from 'node:perf_hooks';
import type { Store } from '@handover/engine';
import { createChainReader } from '../chain/chain-reader.js';
import type { ChainReader } from '../chain/port.js';
import type { Configuration } from '../config/configuration.js';
import { fixedLimits } from '../config/fixed-limits.js';
import { folderOf } from '../config/read-store.js';
import type { HttpApp } from '../doors/http/http-types.js';
import { operationRoutes } from '../doors/pages/api.js';
import { mountPages } from '../doors/pages/door.js';
import { OpenAskIndex } from '../effects/chain/open-asks.js';
import { Verifier } from '../effects/chain/verifier.js';
import { memoryPepper, openPepper } from '../keys/pepper.js';
import type { Log } from '../observe/log.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import type { LargeWork } from '../services/large/large-work.js';
import { askChain } from '../services/operations/chain-sight.js';
import { RecordDocuments } from '../services/operations/documents.js';
import { createOperations, type Operations } from '../services/operations/operations.js';
import { RecordReceipts } from '../services/operations/receipts.js';

export interface OpenOperationsOptions {
  readonly configuration: Configuration;
  readonly deps: ServiceDependencies;
  readonly store: Store;
  /** This server may write to the data folder. */
  readonly ownsFolder: boolean;
  readonly log: Log;
  readonly monotonicNow?: () => number;
  readonly chains?: ChainReader;
  readonly large: LargeWork;
}

export interface OpenedOperations {
  readonly operations: Operations;
  mount(app: HttpApp): void;
  /** With the address at which HTTP listens: URLs begin with it unless the configuration names another. */
  start(httpUrl: string): Promise<void>;
  /** An operation waits for a person or for the chain. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export function openOperations(options: OpenOperationsOptions): OpenedOperations {
  const { configuration, store, ownsFolder, log, monotonicNow = () => performance.now() } = options;
  const folder = ownsFolder ? folderOf(configuration.store) : undefined;
  let base = configuration.mcp.publicBaseUrl ?? '';
  const { metrics } = options.deps;
  const reader = createChainReader(configuration.chains, {
    asked: (rpc, outcome, seconds) => metrics.chainAsked(rpc, outcome, seconds),
  });
  const openAsks = new OpenAskIndex();
  const deps = {
    ...options.deps,
    store,
    documents: new RecordDocuments(store, options.deps.codec, options.large),
    receipts: new RecordReceipts(store, options.deps.receiptKeys.signer, options.deps.codec),
    openAsks,
    pepper: folder === undefined ? memoryPepper() : openPepper(folder),
    chains: options.chains ?? reader,
    confirmations: configuration.chains.confirmations,
    smartAccounts: configuration.chains.smartAccounts,
    settings: configuration.operations,
    publicBase: () => base,
    log,
  };
  const operations = createOperations(deps);
  const patience = { asker: 'pages', withinMs: fixedLimits.askSightMs.value };
  // A page is shown without it when the RPC does not answer at once.
  const traces = (chainId: number) => deps.chains.traces(chainId, patience).catch(() => undefined);
  const verifier = new Verifier(deps, openAsks);
  metrics.watchChains(() => ({
    rpcs: reader.gates,
    watched: verifier.watching,
    waiting: verifier.waiting,
  }));
  const { trustedProxy } = configuration.http;
  return {
    operations,
    mount(app) {
      operationRoutes(app, {
        operations,
        monotonicNow,
        ...(trustedProxy && { trustedProxy }),
      });
      mountPages(app, { chains: configuration.chains, traces });
    },
    async start(httpUrl) {
      if (base === '') base = httpUrl;
      await verifier.start();
      // Nobody waits for it: a server whose RPCs are away starts, and says so in its log.
      for (const chainId of configuration.chains.rpcs.keys()) void askChain(deps, chainId);
      if (configuration.chains.xgrRpc) void askChain(deps);
    },
    isBusy: () => verifier.isBusy,
    close: () => verifier.close(),
  };
}
