/**
 * Who may have whose work, as the server of a data folder had it last. Its settings stand in the environment of whoever
 * started it, an assistant's MCP entry perhaps; a hook of the same assistant is run with another one. What is said of a folder
 * that nobody serves goes by the server that served it, unless the environment here says something itself.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, isFields } from '@handover/core';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { readTaking, type TakingSettings } from './read-taking.js';
import { type Environment, SettingReader } from './setting-reader.js';

const FILE = 'taking.json';
const NAMES = ['HANDOVER_TAKEOVER', 'HANDOVER_TAKEOVER_AFTER_SECS', 'HANDOVER_OPEN_PARKING'] as const;

export function keepTaking(folder: string, settings: TakingSettings): void {
  const { takeOver, afterSecs, openParking, apart } = settings;
  const kept = {
    HANDOVER_TAKEOVER: takeOver,
    HANDOVER_TAKEOVER_AFTER_SECS: String(afterSecs),
    HANDOVER_OPEN_PARKING: openParking ? '1' : '0',
  } satisfies Record<(typeof NAMES)[number], string>;
  const path = join(folder, FILE);
  const text = `${JSON.stringify({ ...kept, apart })}\n`;
  if (readText(path) !== text) writeFileAtomic(path, text);
}

export function keptTaking(folder: string, env: Environment): TakingSettings {
  const own = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const kept = fieldsIn(readText(join(folder, FILE)));
  const settings = new SettingReader({ ...valuesIn(kept), ...own });
  return readTaking(settings, { trusting: kept.apart !== true });
}

function valuesIn(kept: Fields): Environment {
  const named = NAMES.map((name) => [name, kept[name]] as const);
  return Object.fromEntries(
    named.filter((pair): pair is [(typeof NAMES)[number], string] => typeof pair[1] === 'string'),
  );
}

/** What is damaged says nothing. */
function fieldsIn(text: string | undefined): Fields {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    return isFields(kept) ? kept : {};
  } catch {
    return {};
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
