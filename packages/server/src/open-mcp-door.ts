/** The MCP door on this server: its services, and the tool sets that the configuration asks for. */
import type { Store } from '@handover/engine';
import { receiptSigner } from './audit/receipt-keys.js';
import { createMcpDoor, type McpDoor } from './doors/mcp/mcp-door.js';
import { handoffToolSet } from './doors/mcp/tools/index.js';
import type { Configuration } from './ops/configuration.js';
import { memoryKeyring, openKeyring } from './ops/keyring.js';
import type { Log } from './ops/log.js';
import type { ConfigurationDesk } from './pipeline/configuration/types.js';
import { createHandoffDesk } from './pipeline/handoffs/create-handoff-desk.js';
import type { OpenSessionQuota } from './pipeline/open-session-quota.js';
import type { RuntimeParts } from './pipeline/runtime.js';

export interface OpenMcpDoorOptions {
  readonly settings: Configuration;
  readonly runtime: RuntimeParts;
  readonly store: Store;
  /** The data folder is this server's to write to. */
  readonly ownsFolder: boolean;
  readonly quota: OpenSessionQuota;
  readonly configuration: ConfigurationDesk;
  readonly log: Log;
}

export function openMcpDoor(options: OpenMcpDoorOptions): McpDoor {
  const { settings, runtime, store, quota, configuration, ownsFolder, log } = options;
  const keyring =
    ownsFolder && settings.store.kind === 'sqlite' ? openKeyring(settings.store.folder) : memoryKeyring();
  const desk = createHandoffDesk({ ...runtime, store, quota, signer: receiptSigner(keyring) });
  const sets = [handoffToolSet({ desk, configuration, now: runtime.now })];
  const { toolSets, publicBaseUrl } = settings.mcp;
  const issuer = settings.auth.kind === 'credentials' ? settings.auth.jwt?.issuer : undefined;
  return createMcpDoor({
    runtime,
    desk,
    configuration,
    toolSets: sets.filter(({ name }) => toolSets.includes(name)),
    serverName: () => runtime.settingsNow().serverName,
    log,
    metadata: {
      issuers: issuer === undefined ? [] : [issuer],
      ...(publicBaseUrl !== undefined && { publicBaseUrl }),
    },
  });
}
