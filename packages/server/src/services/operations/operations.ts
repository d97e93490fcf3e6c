/** Everything about operations behind one object: for agents, for pages, and for reading a chain. */
import { BrowserService } from './browser-service.js';
import { ChainReads } from './chain-reads.js';
import type { OperationDependencies, OperationSettings } from './dependencies.js';
import { OperationService } from './operation-service.js';
import { OperationWaits } from './wait-for-operation.js';

export interface Operations {
  readonly service: OperationService;
  readonly browser: BrowserService;
  readonly chain: ChainReads;
  readonly waits: OperationWaits;
  readonly settings: OperationSettings;
}

export function createOperations(deps: OperationDependencies): Operations {
  return {
    service: new OperationService(deps),
    browser: new BrowserService(deps),
    chain: new ChainReads(deps),
    waits: new OperationWaits(deps),
    settings: deps.settings,
  };
}
