/**
 * Which settings of two environments differ, told without showing any of them: each side sends keyed digests of its
 * values. Both hold the key, because both can read the data folder.
 */
import { createHmac } from 'node:crypto';
import type { Environment } from './setting-reader.js';
import { settings } from './settings.js';

/** By the name of the setting. */
export type SettingDigests = Readonly<Record<string, string>>;

const OURS = /^(?:HANDOVER|MACP|MCP)_/;
/** These say something of one connection, not of the server. */
const OF_A_CONNECTION = new Set([
  'HANDOVER_AGENT_ID',
  'HANDOVER_TOOLSETS',
  'HANDOVER_DATA_DIR',
  'MACP_DATA_DIR',
  'HANDOVER_TOKEN',
  'HANDOVER_DEBUG',
  'HANDOVER_AUTOLOAD',
  'HANDOVER_CAPTURE_PARKS',
]);
const DEFAULTS: Environment = Object.fromEntries(settings.map(({ name, default: value }) => [name, value]));
const DIGITS = 16;

/** What a server runs on: the environment, and defaults where it says nothing. */
export const serverDigests = (env: Environment, key: string): SettingDigests =>
  digestsOf({ ...DEFAULTS, ...given(env) }, key);

/** What an environment asks for. */
export const askedDigests = (env: Environment, key: string): SettingDigests => digestsOf(given(env), key);

/** The names of what was asked for and is not so, in order. */
export const differingSettings = (asked: SettingDigests, server: SettingDigests): readonly string[] =>
  Object.keys(asked)
    .filter((name) => asked[name] !== server[name])
    .sort();

/** An empty value counts as not set. */
const given = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

function digestsOf(values: Environment, key: string): SettingDigests {
  const ours = Object.entries(values).filter(([name]) => OURS.test(name) && !OF_A_CONNECTION.has(name));
  return Object.fromEntries(
    ours.map(([name, value = '']) => [
      name,
      createHmac('sha256', key).update(`${name}=${value}`).digest('hex').slice(0, DIGITS),
    ]),
  );
}
