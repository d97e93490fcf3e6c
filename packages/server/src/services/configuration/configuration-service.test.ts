import { verifyStream } from '@handover/core';
import { BEGINNING, createMemoryStore, type Store } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { T0 } from '../../../../../test/kit/clock.js';
import { testConfiguration } from '../../../../../test/kit/configuration.js';
import { createWorld } from '../../../../../test/kit/world.js';
import type { Principal } from '../../auth/principal.js';
import { ALL_SCOPES, DEFAULT_SCOPES } from '../../auth/scopes.js';
import { createLog, type Log, silentLog } from '../../observe/log.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { configurationRef } from './configuration-ref.js';
import { RegistryConfigurationService } from './configuration-service.js';
import { openLiveConfiguration } from './live-configuration.js';

const admin: Principal = {
  tenant: 'default',
  agent: 'admin',
  canStartSessions: true,
  canManageModeRegistry: true,
  isObserver: false,
  scopes: ALL_SCOPES,
};
const user: Principal = { ...admin, agent: 'user', scopes: DEFAULT_SCOPES };
const elsewhere: Principal = { ...admin, tenant: 'other' };

/** A clock that moves on by a millisecond each time it is read. */
const runningClock = () => {
  let now = T0;
  return {
    get now() {
      return now++;
    },
  };
};

async function start(
  store: Store = createMemoryStore(),
  env: Record<string, string> = {},
  log: Log = silentLog,
) {
  const configuration = testConfiguration(env);
  const live = await openLiveConfiguration(configuration, store, log);
  const { configuration: current, settingsNow } = live;
  const { deps } = createWorld({ configuration: current, settingsNow, store, log, clock: runningClock() });
  const service = new RegistryConfigurationService({ deps, live, log });
  const value = async (key: string) => {
    const got = await service.get(admin, { keys: [key] });
    return 'value' in got ? got.value.configuration[key] : got.rejection;
  };
  return { service, live, deps, store, value };
}

describe('reading', () => {
  it('shows every changeable setting under its environment name, and secrets redacted to administrators', async () => {
    const { service } = await start(undefined, {
      HANDOVER_WEBHOOK_URL: 'https://example.com/hook',
      HANDOVER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    });
    const all = await service.get(admin, {});
    expect(all).toMatchObject({
      value: {
        configuration: {
          LOG_LEVEL: 'info',
          RETENTION_DORMANT_SESSION_THRESHOLD_DAYS: 7,
          MCP_SERVER_NAME: 'handover',
          HANDOVER_WEBHOOK_SECRET: '[redacted]',
          MACP_AUTH_TOKENS_JSON: null,
        },
      },
    });
    expect(JSON.stringify(all)).not.toContain('BwcH');
    const seen = await service.get(user, {});
    expect(JSON.stringify(seen)).not.toContain('SECRET');
  });

  it('answers in the spelling that was asked', async () => {
    const { service } = await start();
    const keys = ['LOG_LEVEL', 'MACP_LOG_LEVEL', 'monitoring.logLevel', 'retention.archiveAfterDays'];
    expect(await service.get(user, { keys })).toMatchObject({
      value: {
        configuration: {
          LOG_LEVEL: 'info',
          MACP_LOG_LEVEL: 'info',
          'monitoring.logLevel': 'info',
          'retention.archiveAfterDays': 90,
        },
      },
    });
  });

  it('refuses unknown keys, and secrets to others', async () => {
    const { service } = await start();
    expect(await service.get(user, { keys: ['NOPE'] })).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR' },
    });
    const secret = await service.get(user, { keys: ['HANDOVER_WEBHOOK_SECRET'] });
    expect(secret).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
  });
});

describe('changing', () => {
  it('acts at once on the parts that ask', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const log = createLog({ level: 'info', stream });
    const { service, deps } = await start(undefined, {}, log);
    const updates = {
      LOG_LEVEL: 'debug',
      'retention.dormantSessionThresholdDays': 3,
      MACP_MAX_PAYLOAD_BYTES: '1000',
      MACP_MESSAGE_LIMIT_PER_MINUTE: 2,
      MCP_SERVER_NAME: 'night shift',
    };
    expect(await service.update(admin, { updates })).toEqual({
      value: { success: true, restartRequired: false },
    });
    log.debug('now.visible');
    expect(lines.join('')).toContain('now.visible');
    expect(deps.maxPayloadBytes).toBe(1_000);
    expect(deps.settingsNow()).toMatchObject({
      lifetimes: { dormantAfterMs: 3 * 86_400_000 },
      serverName: 'night shift',
    });
    const sender = { tenant: 't', agent: 'a' };
    const allowed = [1, 2, 3].map(() => deps.limiter.check(sender, 'message').allowed);
    expect(allowed).toEqual([true, true, false]);
  });

  it('all or nothing, and says everything that is wrong', async () => {
    const { service, value, store } = await start();
    const outcome = await service.update(admin, {
      updates: {
        LOG_LEVEL: 'debug',
        NO_SUCH_KEY: 1,
        RETENTION_ARCHIVE_AFTER_DAYS: 366,
        MACP_MAX_PAYLOAD_BYTES: 1.5,
        MACP_AUTH_TOKENS_JSON: '[]',
        MACP_BIND_ADDR: '0.0.0.0:1',
        MCP_SERVER_NAME: '',
      },
    });
    expect(outcome).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR', details: { restartRequired: false } },
    });
    const errors = 'rejection' in outcome ? (outcome.rejection.details?.validationErrors as string[]) : [];
    expect(errors).toHaveLength(6);
    expect(errors.join()).toContain('MACP_AUTH_TOKENS_JSON is a secret');
    expect(await value('LOG_LEVEL')).toBe('info');
    expect(await store.behind(BEGINNING)).toBe(0);
  });

  it('only administrators of the server itself', async () => {
    const { service, store } = await start();
    for (const principal of [user, elsewhere]) {
      const outcome = await service.update(principal, { updates: { LOG_LEVEL: 'debug' } });
      expect(outcome).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
      expect(await service.backup(principal, { action: 'list' })).toMatchObject({
        rejection: { code: 'FORBIDDEN' },
      });
    }
    expect(await store.behind(BEGINNING)).toBe(0);
  });

  it('validateOnly changes nothing', async () => {
    const { service, value, store } = await start();
    const options = { validateOnly: true };
    const fine = await service.update(admin, { updates: { MACP_REQUEST_TIMEOUT_SECS: 5 }, options });
    expect(fine).toEqual({ value: { success: true, restartRequired: true } });
    const wrong = await service.update(admin, { updates: { MACP_REQUEST_TIMEOUT_SECS: 0 }, options });
    expect(wrong).toMatchObject({ rejection: { code: 'VALIDATION_ERROR' } });
    expect(await value('MACP_REQUEST_TIMEOUT_SECS')).toBe(30);
    expect(await store.behind(BEGINNING)).toBe(0);
  });

  it('keys that need a restart wait for it, or are refused', async () => {
    const { service, store, value } = await start();
    const updates = { MACP_REQUEST_TIMEOUT_SECS: 5, LOG_LEVEL: 'warn' };
    const refused = await service.update(admin, { updates, options: { restartRequired: false } });
    expect(refused).toMatchObject({ rejection: { details: { restartRequired: true } } });
    expect(await value('LOG_LEVEL')).toBe('info');
    const done = await service.update(admin, { updates, options: { restartRequired: true } });
    expect(done).toEqual({ value: { success: true, restartRequired: true } });
    expect(await value('LOG_LEVEL')).toBe('warn');
    expect(await value('MACP_REQUEST_TIMEOUT_SECS')).toBe(30);
    expect(await service.get(admin, {})).toMatchObject({
      value: { staged: { MACP_REQUEST_TIMEOUT_SECS: 5 } },
    });
    const again = await start(store);
    expect(await again.value('MACP_REQUEST_TIMEOUT_SECS')).toBe(5);
    expect(again.live.configuration.limits.requestTimeoutMs).toBe(5_000);
    expect(again.live.staged()).toEqual({});
  });

  it('survives a restart and wins over the environment, until it is taken back', async () => {
    const { service, store } = await start();
    await service.update(admin, { updates: { RETENTION_ARCHIVE_AFTER_DAYS: 10 } });
    const again = await start(store, { RETENTION_ARCHIVE_AFTER_DAYS: '20' });
    expect(await again.value('RETENTION_ARCHIVE_AFTER_DAYS')).toBe(10);
    await again.service.update(admin, { updates: { RETENTION_ARCHIVE_AFTER_DAYS: null } });
    expect(await again.value('RETENTION_ARCHIVE_AFTER_DAYS')).toBe(20);
  });

  it('is recorded under the name of who asked, and replays', async () => {
    const { service, store } = await start();
    await service.update(admin, { updates: { LOG_LEVEL: 'warn' } });
    await service.backup(
      { ...admin, agent: 'second' },
      { action: 'create', options: { description: 'mine' } },
    );
    await service.update(admin, { updates: { LOG_LEVEL: 'error' } });
    await service.backup(admin, { action: 'restore', backupId: 'backup-2' });
    await service.backup(admin, { action: 'delete', backupId: 'auto-1' });
    const entries = await store.read(configurationRef, 0, { entries: 100, bytes: 1e6 });
    expect(entries.map(({ type, actor }) => [type, actor])).toEqual([
      ['ConfigurationChanged', 'admin'],
      ['ConfigurationBackedUp', 'second'],
      ['ConfigurationChanged', 'admin'],
      ['ConfigurationChanged', 'admin'],
      ['ConfigurationBackupDeleted', 'admin'],
    ]);
    expect(verifyStream(configurationRef, entries, nodeCodec)).toMatchObject({ ok: true });
  });
});

describe('backups', () => {
  it('one before each change; restoring is a change with its own backup; delete works', async () => {
    const { service, value } = await start();
    await service.update(admin, { updates: { LOG_LEVEL: 'warn' } });
    await service.update(admin, { updates: { LOG_LEVEL: 'error', MCP_SERVER_NAME: 'x' } });
    const list = async () => {
      const got = await service.backup(admin, { action: 'list' });
      return 'value' in got ? (got.value.backups ?? []) : [];
    };
    expect((await list()).map(({ backupId, values }) => [backupId, values])).toEqual([
      ['auto-2', { LOG_LEVEL: 'warn' }],
      ['auto-1', {}],
    ]);
    expect(await service.backup(admin, { action: 'restore', backupId: 'auto-2' })).toEqual({
      value: { success: true, backupId: 'auto-2', restartRequired: false },
    });
    expect([await value('LOG_LEVEL'), await value('MCP_SERVER_NAME')]).toEqual(['warn', 'handover']);
    expect((await list())[0]).toMatchObject({ backupId: 'auto-3', values: { LOG_LEVEL: 'error' } });
    await service.backup(admin, { action: 'delete', backupId: 'auto-3' });
    expect((await list()).map(({ backupId }) => backupId)).toEqual(['auto-2', 'auto-1']);
  });

  it('refuses what does not exist or lacks its id', async () => {
    const { service } = await start();
    const code = 'VALIDATION_ERROR';
    for (const args of [{ backupId: 'x' }, {}])
      for (const action of ['restore', 'delete'] as const)
        expect(await service.backup(admin, { action, ...args })).toMatchObject({ rejection: { code } });
  });

  it('keeps a bounded number of automatic ones and all that were asked for', async () => {
    const { service } = await start();
    await service.backup(admin, { action: 'create' });
    for (let n = 1; n <= 60; n++)
      await service.update(admin, { updates: { RETENTION_ARCHIVE_AFTER_DAYS: n } });
    const got = await service.backup(admin, { action: 'list' });
    const backups = 'value' in got ? (got.value.backups ?? []) : [];
    expect(backups.filter(({ automatic }) => automatic)).toHaveLength(50);
    expect(backups.at(-1)?.backupId).toBe('backup-1');
  });
});
