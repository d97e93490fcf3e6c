/** Implements the service of types.ts over the configuration registry: checks who asks, and for what. */
import {
  type ConfigurationChanges,
  type ConfigurationState,
  changesBetween,
  findBackup,
  type Rejection,
  RejectionCode,
  reject,
  rejectWith,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import { secretSettings } from '../../config/changeable.js';
import { DEFAULT_TENANT } from '../dependencies.js';
import type { Outcome } from '../outcome.js';
import { ConfigurationRegistry, invalid, type RegistryDependencies } from './configuration-registry.js';
import { findKey } from './key-names.js';
import type { LiveConfiguration } from './live-configuration.js';
import { needRestart, readUpdates } from './read-updates.js';
import type {
  BackupRequest,
  BackupResult,
  BackupView,
  ConfigurationService,
  ConfigurationUpdate,
  ConfigurationView,
  SettingValue,
  UpdateResult,
} from './types.js';

const REDACTED = '[redacted]';

export class RegistryConfigurationService implements ConfigurationService {
  readonly #deps: RegistryDependencies['deps'];
  readonly #live: LiveConfiguration;
  readonly #registry: ConfigurationRegistry;

  constructor(deps: RegistryDependencies) {
    this.#deps = deps.deps;
    this.#live = deps.live;
    this.#registry = new ConfigurationRegistry(deps);
  }

  async get(
    principal: Principal,
    { keys }: { keys?: readonly string[] },
  ): Promise<Outcome<ConfigurationView>> {
    const values: Record<string, SettingValue> = { ...this.#live.values() };
    const admin = isAdmin(principal);
    if (admin) Object.assign(values, this.#secrets());
    const staged = this.#live.staged();
    const rest = {
      ...(Object.keys(staged).length > 0 && { staged }),
      timestamp: this.#deps.now(),
    };
    if (keys === undefined) return { value: { configuration: values, ...rest } };
    const configuration: Record<string, SettingValue> = {};
    for (const spelling of keys) {
      const key = findKey(spelling);
      if (key?.kind === 'secret' && !admin)
        return { rejection: this.#forbidden(principal, 'configuration.secret') };
      const value = key && values[key.name];
      if (value === undefined) return { rejection: unknownKey(spelling) };
      configuration[spelling] = value;
    }
    return { value: { configuration, ...rest } };
  }

  async update(
    principal: Principal,
    { updates, options = {} }: ConfigurationUpdate,
  ): Promise<Outcome<UpdateResult>> {
    if (!mayChange(principal)) return { rejection: this.#forbidden(principal, 'configuration.update') };
    const read = readUpdates(updates);
    if (!read.ok) return { rejection: invalid(read.errors, false) };
    const { changes } = read;
    const refusal = options.restartRequired === false ? restartRefusal(changes) : undefined;
    if (refusal) return { rejection: refusal };
    const restartRequired = needRestart(changes).length > 0;
    if (options.validateOnly) return { value: { success: true, restartRequired } };
    const submitted = await this.#registry.submit(principal, { kind: 'change', changes });
    return 'rejection' in submitted ? submitted : { value: { success: true, restartRequired } };
  }

  async backup(principal: Principal, args: BackupRequest): Promise<Outcome<BackupResult>> {
    if (!mayChange(principal))
      return { rejection: this.#forbidden(principal, `configuration.backup.${args.action}`) };
    const { action, backupId, options = {} } = args;
    if (action === 'list')
      return { value: { success: true, backups: backupViews(await this.#registry.state()) } };
    if (action === 'create') return this.#createBackup(principal, options.description ?? '');
    if (backupId === undefined) return { rejection: invalid([`backupId is needed to ${action}`], false) };
    return action === 'delete'
      ? this.#deleteBackup(principal, backupId)
      : this.#restore(principal, backupId, options.restartRequired);
  }

  async #createBackup(principal: Principal, description: string): Promise<Outcome<BackupResult>> {
    const submitted = await this.#registry.submit(principal, { kind: 'backUp', description });
    if ('rejection' in submitted) return submitted;
    const backupId = String(submitted.value.entries[0]?.facts.backup_id);
    return { value: { success: true, backupId } };
  }

  async #deleteBackup(principal: Principal, backupId: string): Promise<Outcome<BackupResult>> {
    const submitted = await this.#registry.submit(principal, { kind: 'deleteBackup', backupId });
    return 'rejection' in submitted ? submitted : { value: { success: true, backupId } };
  }

  async #restore(principal: Principal, backupId: string, restart?: boolean): Promise<Outcome<BackupResult>> {
    const state = await this.#registry.state();
    const backup = findBackup(state, backupId);
    const changes = changesBetween(state?.values ?? {}, backup?.values ?? {});
    const refusal = backup && restart === false ? restartRefusal(changes) : undefined;
    if (refusal) return { rejection: refusal };
    const submitted = await this.#registry.submit(principal, { kind: 'restore', backupId });
    if ('rejection' in submitted) return submitted;
    return { value: { success: true, backupId, restartRequired: needRestart(changes).length > 0 } };
  }

  #secrets(): Record<string, SettingValue> {
    const set = new Set(this.#live.configuration.secretNames);
    return Object.fromEntries(secretSettings.map(({ name }) => [name, set.has(name) ? REDACTED : null]));
  }

  #forbidden(principal: Principal, action: string): Rejection {
    const code = RejectionCode.FORBIDDEN;
    this.#deps.audit.authorizationFailed({ actor: principal, action, code });
    return reject(code, `this needs the scope ${Scope.HANDOFF_ADMIN} in the server's own tenant`);
  }
}

const isAdmin = ({ scopes }: Principal): boolean => scopes.has(Scope.HANDOFF_ADMIN);
const mayChange = (principal: Principal): boolean =>
  isAdmin(principal) && principal.tenant === DEFAULT_TENANT;

function restartRefusal(changes: ConfigurationChanges): Rejection | undefined {
  const names = needRestart(changes);
  const errors = names.map((name) => `${name} acts only after a restart, and restartRequired is false`);
  return names.length === 0 ? undefined : invalid(errors, true);
}

function unknownKey(spelling: string): Rejection {
  const shown = spelling.slice(0, 100);
  return rejectWith(RejectionCode.VALIDATION_ERROR, `keys: ${shown} is not a setting that is shown`, {
    field: 'keys',
  });
}

function backupViews(state: ConfigurationState | undefined): readonly BackupView[] {
  const views = (state?.backups ?? []).map(({ id, at, by, description, automatic, values }) => ({
    backupId: id,
    createdAt: at,
    createdBy: by,
    description,
    automatic,
    values,
  }));
  return views.reverse();
}
