/** What every service needs, from a configuration and a store. */
import { performance } from 'node:perf_hooks';
import { BUILT_IN_MODES } from '@handover/core';
import { Engine, type Store } from '@handover/engine';
import { authenticatorFor } from '../auth/authenticator-for.js';
import type { Configuration } from '../config/configuration.js';
import { fixedLimits } from '../config/fixed-limits.js';
import { installedAgents } from '../config/installed-agents.js';
import { memoryKeyring } from '../keys/keyring.js';
import { type ReceiptKeys, receiptKeysOf } from '../keys/receipt-keys.js';
import { ChainTroubles } from '../observe/chain-troubles.js';
import { createObserver } from '../observe/engine-observer.js';
import type { Log } from '../observe/log.js';
import { createLoopGuard, noLoopGuard } from '../observe/loop-guard.js';
import { createMetrics } from '../observe/metrics.js';
import { createAudit } from '../observe/security-log.js';
import { nodeCodec } from '../platform/node-codec.js';
import { createNodeEnv } from '../platform/node-env.js';
import { AgentDirectory } from '../services/agents/agent-directory.js';
import { ByteQuota } from '../services/byte-quota.js';
import { createLiveRateLimiter } from '../services/configuration/live-rate-limiter.js';
import { liveSettingsOf } from '../services/configuration/live-settings.js';
import type { SettingsNow } from '../services/configuration/types.js';
import type { ServiceDependencies } from '../services/dependencies.js';
import { SessionBoard } from '../services/handoffs/board/session-board.js';
import { Listeners } from '../services/listening/listeners.js';
import { Mailroom } from '../services/listening/mailroom.js';
import { SignalBus } from '../services/macp/signal-bus.js';
import { VERSION } from '../version.js';
import { deciders } from './deciders.js';

export interface DependencyOptions {
  /** For rates and the age of keys; never goes back. */
  readonly monotonicNow?: (() => number) | undefined;
  readonly settingsNow?: SettingsNow;
  /** Absent: keys that end with the process. */
  readonly receiptKeys?: ReceiptKeys;
  /** Salts of entries; tests that compare whole histories bring their own. */
  readonly random?: (bytes: number) => Uint8Array;
  /** Metrics and the guard of the process; off in tests, which make many runtimes in one process. */
  readonly processMetrics?: boolean;
}

export function createDependencies(
  configuration: Configuration,
  store: Store,
  log: Log,
  now: () => number,
  options: DependencyOptions = {},
): ServiceDependencies {
  const { limits, store: kept } = configuration;
  const {
    monotonicNow = () => performance.now(),
    settingsNow = fixedSettings(configuration),
    random,
    receiptKeys = receiptKeysOf(memoryKeyring(), configuration.receipts),
    processMetrics = true,
  } = options;
  const audit = createAudit(log);
  const metrics = createMetrics({
    isKnownMode: (mode) => BUILT_IN_MODES.has(mode),
    process: processMetrics,
  });
  const observe = createObserver(metrics, audit);
  const mailroom = new Mailroom({
    perListener: limits.subscriberBudgetBytes,
    inAll: limits.listenerBytesTotal,
  });
  const env = createNodeEnv({ store, codec: nodeCodec, log, now, observe });
  const engine = new Engine({ ...env, ...(random && { random }) }, deciders, {
    queueCommands: limits.queueMaxCommands,
    queueBytes: limits.queueMaxBytes,
    tailBytesPerStream: limits.tailBytesPerStream,
    tailBytesInAll: limits.tailBytesTotal,
    subscriberBudgetBytes: limits.subscriberBudgetBytes,
    feedTailEntries: fixedLimits.feedTailEntries.value,
    feedTailBytes: fixedLimits.feedTailBytes.value,
    sweepMs: limits.cleanupIntervalMs,
  });
  metrics.watchQueue(() => ({ commands: engine.depth, bytes: engine.queuedBytes }));
  return {
    engine,
    board: new SessionBoard({ engine, store }),
    codec: nodeCodec,
    stored: store,
    receiptKeys,
    storeRefusal: async () => store.refusal?.(),
    authenticator: authenticatorFor(configuration.auth, {
      now,
      monotonicNow,
      onKeysUnavailable: () => log.warn('auth.keys_unavailable'),
    }),
    limiter: createLiveRateLimiter(settingsNow, monotonicNow),
    bytes: new ByteQuota({ engine, settingsNow, metrics, audit }),
    audit,
    metrics,
    loop: processMetrics ? createLoopGuard({ log, held: metrics.loopHeld }) : noLoopGuard,
    chainTroubles: new ChainTroubles(log, now, fixedLimits.knownChains.value),
    directory: new AgentDirectory({
      ...{ agents: store.agents, now, log },
      ...(kept.kind === 'sqlite' && { installed: () => installedAgents(kept.folder) }),
    }),
    listeners: new Listeners({
      limits: {
        perPrincipal: limits.listenersPerPrincipal,
        inAll: limits.listenersTotal,
        bytesInAll: limits.listenerBytesTotal,
      },
      audit,
      metrics,
      now,
    }),
    mailroom,
    signals: new SignalBus(mailroom),
    now,
    settingsNow,
    get maxPayloadBytes() {
      return settingsNow().maxPayloadBytes;
    },
    policiesFromFiles: configuration.policiesFolder !== undefined,
    listPageSize: { fallback: limits.listDefaultPageSize, max: limits.listMaxPageSize },
    serverVersion: VERSION,
    transportEndpoints: transportEndpoints(configuration.mcp.publicBaseUrl),
  };
}

function transportEndpoints(publicBaseUrl: string | undefined): ServiceDependencies['transportEndpoints'] {
  if (publicBaseUrl === undefined) return [];
  const transport = 'macp.transport.http.v1';
  return [{ transport, uri: publicBaseUrl, contentTypes: ['application/json'] }];
}

function fixedSettings({ changeable }: Configuration): SettingsNow {
  const settings = liveSettingsOf(changeable);
  return () => settings;
}
