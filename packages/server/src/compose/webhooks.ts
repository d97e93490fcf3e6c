/** Webhooks on this server, as the configuration has them; the bookmark stands in the data folder, where there is one. */

import type { Configuration } from '../config/configuration.js';
import { Webhooks } from '../effects/webhooks/webhooks.js';
import type { Log } from '../observe/log.js';
import type { RuntimeParts } from '../services/dependencies.js';

export interface OpenWebhooksOptions {
  readonly configuration: Configuration;
  readonly parts: RuntimeParts;
  /** The data folder is this server's to write to. */
  readonly ownsFolder: boolean;
  readonly log: Log;
}

export function openWebhooks({ configuration, parts, ownsFolder, log }: OpenWebhooksOptions): Webhooks {
  const { store, webhooks, auth } = configuration;
  return new Webhooks({
    engine: parts.engine,
    endpoints: webhooks,
    rules: { allowLoopback: auth.kind === 'dev' },
    log,
    now: Date.now,
    version: parts.serverVersion,
    ...(ownsFolder && store.kind === 'sqlite' && { folder: store.folder }),
  });
}
