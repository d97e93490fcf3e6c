/**
 * The configuration that the running server acts on: recorded values win over those of the environment.
 *
 * V1. A recorded value that this version no longer takes is ignored, with a warning; it never stops a start.
 * V2. Settings that act at once change with `apply`; the others keep the value of the start and are `staged`.
 */
import {
  type ConfigurationState,
  type ConfigurationValue,
  type ConfigurationValues,
  configurationDecider,
} from '@handover/core';
import type { Store } from '@handover/engine';
import { changeableSettings, readSettingValue, shownName } from '../../config/changeable.js';
import type { Configuration } from '../../config/configuration.js';
import type { Log } from '../../observe/log.js';
import { configurationRef } from './configuration-ref.js';
import { refuseNewerFormat } from './format-level.js';
import { liveSettingsOf, startingLimits } from './live-settings.js';
import type { LiveSettings, SettingsNow } from './types.js';

const PAGE = 1_000;

export interface LiveConfiguration {
  /** What the server is built from. */
  readonly configuration: Configuration;
  readonly settingsNow: SettingsNow;
  /** Every changeable setting, as it acts now. */
  values(): ConfigurationValues;
  /** What waits for a restart. */
  staged(): ConfigurationValues;
  /** Takes over what was recorded. */
  apply(state: ConfigurationState): void;
}

/** Reads the store directly, because the engine is made from this configuration. */
export async function openLiveConfiguration(
  configuration: Configuration,
  store: Store,
  log: Log,
): Promise<LiveConfiguration> {
  let state: ConfigurationState | undefined;
  for (let after = 0; ; ) {
    const entries = await store.load(configurationRef, after, PAGE);
    for (const entry of entries) state = configurationDecider.evolve(state, entry);
    const last = entries.at(-1);
    if (!last || entries.length < PAGE) break;
    after = last.seq;
  }
  refuseNewerFormat(state);
  return createLiveConfiguration(configuration, state, log);
}

export function createLiveConfiguration(
  configuration: Configuration,
  state: ConfigurationState | undefined,
  log: Log,
): LiveConfiguration {
  const base = configuration.changeable;
  const atStart = overlaid(base, state?.values ?? {}, log);
  let recorded = atStart;
  let acting = atStart;
  let settings: LiveSettings = liveSettingsOf(acting);
  if (state) {
    log.setLevel?.(settings.logLevel);
    log.info('configuration.recorded', { settings: Object.keys(state.values) });
    warnOfIgnored(base, atStart, log);
  }
  return {
    configuration: Object.freeze({
      ...configuration,
      limits: startingLimits(configuration.limits, atStart),
    }),
    settingsNow: () => settings,
    values: () => acting,
    staged: () =>
      Object.fromEntries(Object.entries(recorded).filter(([key, value]) => acting[key] !== value)),
    apply({ values }) {
      recorded = overlaid(base, values, log);
      acting = { ...recorded };
      for (const setting of changeableSettings)
        if (setting.change === 'restart') keep(acting, shownName(setting), atStart);
      settings = liveSettingsOf(acting);
      log.setLevel?.(settings.logLevel);
    },
  };
}

/** Recorded values win over the environment, where an operator may be looking for the reason. */
function warnOfIgnored(base: ConfigurationValues, acting: ConfigurationValues, log: Log): void {
  for (const setting of changeableSettings) {
    const name = shownName(setting);
    const byDefault = readSettingValue(setting, setting.default);
    const isGiven = !('value' in byDefault) || byDefault.value !== base[name];
    if (!isGiven || base[name] === acting[name]) continue;
    const [environment, recorded] = [base[name] ?? '', acting[name] ?? ''];
    log.warn('configuration.environment_ignored', { setting: name, environment, recorded });
  }
}

function keep(values: Record<string, ConfigurationValue>, name: string, from: ConfigurationValues): void {
  const value = from[name];
  if (value !== undefined) values[name] = value;
}

function overlaid(
  base: ConfigurationValues,
  recorded: ConfigurationValues,
  log: Log,
): Record<string, ConfigurationValue> {
  const values: Record<string, ConfigurationValue> = { ...base };
  const byName = new Map(changeableSettings.map((setting) => [shownName(setting), setting]));
  for (const [name, value] of Object.entries(recorded)) {
    const setting = byName.get(name);
    const read = setting && readSettingValue(setting, value);
    if (read && 'value' in read) values[name] = read.value;
    else log.warn('configuration.passed_over', { setting: name });
  }
  return values;
}
