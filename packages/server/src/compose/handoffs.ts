/** The service of handoffs on this server. */
import type { Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import type { AgentDirectory } from '../services/agents/agent-directory.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import { createHandoffService } from '../services/handoffs/create-handoff-service.js';
import type { HandoffService } from '../services/handoffs/types.js';
import type { OpenSessionQuota } from '../services/macp/open-session-quota.js';

export interface OpenHandoffServiceOptions {
  readonly configuration: Configuration;
  readonly deps: ServiceDependencies;
  readonly store: Store;
  readonly quota: OpenSessionQuota;
  readonly directory: AgentDirectory;
}

export function openHandoffService(options: OpenHandoffServiceOptions): HandoffService {
  const { configuration, deps, store, quota, directory } = options;
  return createHandoffService({
    ...deps,
    ...{ store, quota, directory, taking: configuration.taking, signer: deps.receiptKeys.signer },
  });
}
