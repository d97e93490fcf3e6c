/**
 * What every service needs. Services call auth, limits and engine in the order that the protocol prescribes. The rules
 * are in core, and the doors handle the wire.
 */
import type { Codec } from '@handover/core';
import type { Engine, Store } from '@handover/engine';
import type { Authenticator } from '../auth/principal.js';
import type { RateLimiter } from '../auth/rate-limiter.js';
import type { ReceiptKeys } from '../keys/receipt-keys.js';
import type { ChainTroubles } from '../observe/chain-troubles.js';
import type { LoopGuard } from '../observe/loop-guard.js';
import type { Metrics } from '../observe/metrics.js';
import type { Audit } from '../observe/security-log.js';
import type { AgentDirectory } from './agents/agent-directory.js';
import type { ByteQuota } from './byte-quota.js';
import type { SettingsNow } from './configuration/types.js';
import type { SessionBoard } from './handoffs/board/session-board.js';
import type { Listeners } from './listening/listeners.js';
import type { Mailroom } from './listening/mailroom.js';
import type { SignalBus } from './macp/signal-bus.js';

export interface TransportEndpoint {
  readonly transport: string;
  readonly uri: string;
  readonly contentTypes: readonly string[];
}

export interface ServiceDependencies {
  readonly engine: Engine;
  /** Which working sessions are open. */
  readonly board: SessionBoard;
  readonly codec: Codec;
  /** Whole histories, and the receipts that were given out. */
  readonly stored: Pick<Store, 'read' | 'receipts'>;
  readonly receiptKeys: ReceiptKeys;
  /** Why nothing can be stored now; undefined: nothing is known to stand against it. For the operator. */
  readonly storeRefusal: () => Promise<string | undefined>;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly bytes: ByteQuota;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly loop: LoopGuard;
  readonly chainTroubles: ChainTroubles;
  /** Everybody who listens, at whatever door. */
  readonly listeners: Listeners;
  readonly mailroom: Mailroom;
  readonly signals: SignalBus;
  /** Who is here, and who was. */
  readonly directory: AgentDirectory;
  readonly now: () => number;
  /** Settings that change while the server runs. Ask for them at each use. */
  readonly settingsNow: SettingsNow;
  readonly maxPayloadBytes: number;
  /** True: policies come from a directory, so the registry is read-only on the wire and the same for every tenant. */
  readonly policiesFromFiles: boolean;
  readonly listPageSize: { readonly fallback: number; readonly max: number };
  readonly serverVersion: string;
  /** Where other transports of the protocol are reached from outside; none without a public address. */
  readonly transportEndpoints: readonly TransportEndpoint[];
}

/** The tenant of credentials that name none, and of RPCs that ask for no credentials. */
export const DEFAULT_TENANT = 'default';
