/**
 * Every environment name the server knows, as data: the names of docs/spec/macp.md 6.6 that make sense here, and our
 * own under HANDOVER_. The order is the one in which `--help` shows them.
 */
import { assistantSettings } from './settings/assistants.js';
import { authSettings } from './settings/auth.js';
import { engineLimitSettings } from './settings/engine-limits.js';
import { handoffSettings } from './settings/handoffs.js';
import { ignoredSettings } from './settings/ignored.js';
import { listenerSettings } from './settings/listeners.js';
import { mcpSettings } from './settings/mcp.js';
import { operationSettings } from './settings/operations.js';
import { policyAndLogSettings } from './settings/policies-and-log.js';
import { quotaSettings } from './settings/quotas.js';
import { receiptSettings } from './settings/receipts.js';
import { requestLimitSettings } from './settings/request-limits.js';
import { retentionSettings } from './settings/retention.js';
import { storageSettings } from './settings/storage.js';
import { tlsSettings } from './settings/tls.js';
import { webhookSettings } from './settings/webhooks.js';

export const settings = [
  ...listenerSettings,
  ...storageSettings,
  ...tlsSettings,
  ...authSettings,
  ...requestLimitSettings,
  ...quotaSettings,
  ...policyAndLogSettings,
  ...receiptSettings,
  ...engineLimitSettings,
  ...retentionSettings,
  ...handoffSettings,
  ...mcpSettings,
  ...operationSettings,
  ...assistantSettings,
  ...webhookSettings,
  ...ignoredSettings,
] as const;

export type KnownSetting = (typeof settings)[number];
export type SettingName = KnownSetting['name'];
export type IntegerName = Extract<KnownSetting, { kind: 'integer' }>['name'];

/** Live settings act at once when they are changed. Restart settings wait for the next start. */
export type LiveSetting = Extract<KnownSetting, { change: 'live' }>;
export type RestartSetting = Extract<KnownSetting, { change: 'restart' }>;
