/** Webhooks on this server, as the configuration has them; the bookmark stands in the data folder, where there is one. */

import type { Configuration } from '../config/configuration.js';
import { folderOf } from '../config/read-store.js';
import { Webhooks } from '../effects/webhooks/webhooks.js';
import type { Log } from '../observe/log.js';
import type { ServiceDependencies } from '../services/dependencies.js';

export interface OpenWebhooksOptions {
  readonly configuration: Configuration;
  readonly deps: ServiceDependencies;
  /** This server may write to the data folder. */
  readonly ownsFolder: boolean;
  readonly log: Log;
}

export function openWebhooks({ configuration, deps, ownsFolder, log }: OpenWebhooksOptions): Webhooks {
  const { store, webhooks, auth } = configuration;
  const { metrics } = deps;
  const folder = folderOf(store);
  const made = new Webhooks({
    engine: deps.engine,
    endpoints: webhooks,
    rules: { allowLoopback: auth.kind === 'dev' },
    log,
    now: Date.now,
    version: deps.serverVersion,
    count: (outcome, deliveries) => metrics.webhook(outcome, deliveries),
    ...(ownsFolder && folder !== undefined && { folder }),
  });
  metrics.watchWebhooks(() => ({ pending: made.pending, oldestSeconds: made.oldestMs / 1_000 }));
  return made;
}
