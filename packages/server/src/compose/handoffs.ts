/** The service of handoffs on this server. */
import type { Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import { keepTaking } from '../config/kept-taking.js';
import { folderOf } from '../config/read-store.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import { createHandoffService } from '../services/handoffs/create-handoff-service.js';
import type { HandoffService } from '../services/handoffs/types.js';
import type { OpenSessionQuota } from '../services/macp/open-session-quota.js';

export interface OpenHandoffServiceOptions {
  readonly configuration: Configuration;
  readonly deps: ServiceDependencies;
  readonly store: Store;
  /** This server may write to the data folder. */
  readonly ownsFolder: boolean;
  readonly quota: OpenSessionQuota;
}

export function openHandoffService(options: OpenHandoffServiceOptions): HandoffService {
  const { configuration, deps, store, ownsFolder, quota } = options;
  const folder = folderOf(configuration.store);
  if (ownsFolder && folder !== undefined) keepTaking(folder, configuration.taking);
  return createHandoffService({
    ...deps,
    ...{ store, quota, taking: configuration.taking, signer: deps.receiptKeys.signer },
  });
}
