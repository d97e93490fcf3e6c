/** Everything about operations behind one object: for agents, for pages, and the effect that reads the chain. */

import { Verifier, type VerifierOptions } from '../../effects/chain/verifier.js';
import { BrowserDesk } from './browser-service.js';
import { ChainReads } from './chain-reads.js';
import type { OperationParts, OperationSettings } from './dependencies.js';
import { OperationDesk } from './operation-service.js';

export interface Operations {
  readonly desk: OperationDesk;
  readonly browser: BrowserDesk;
  readonly chain: ChainReads;
  readonly verifier: Verifier;
  readonly settings: OperationSettings;
}

export function createOperations(parts: OperationParts, options?: VerifierOptions): Operations {
  return {
    desk: new OperationDesk(parts),
    browser: new BrowserDesk(parts),
    chain: new ChainReads(parts),
    verifier: new Verifier(parts, options),
    settings: parts.settings,
  };
}
