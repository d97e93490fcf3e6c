/** Webhooks on this server, as the configuration has them; the bookmark stands in the data folder, where there is one. */
import { Webhooks } from './effects/webhooks/webhooks.js';
import type { Configuration } from './ops/configuration.js';
import type { Log } from './ops/log.js';
import type { RuntimeParts } from './pipeline/runtime.js';

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
