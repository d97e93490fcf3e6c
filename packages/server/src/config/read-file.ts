import { type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readBounded } from '../platform/read-bounded.js';
import { systemCause } from '../platform/system-cause.js';
import { fixedLimits } from './fixed-limits.js';
import type { SettingReader } from './setting-reader.js';
import type { SettingName } from './settings.js';

const MAX_BYTES = fixedLimits.settingFileBytes.value;

/** The content of the file that a setting names. A file that cannot be read is a problem under that setting. */
export function readNamedFile(reader: SettingReader, name: SettingName): string | undefined {
  const path = reader.given(name);
  if (path === undefined) return undefined;
  try {
    const text = readBounded(path, MAX_BYTES);
    if (text === undefined)
      reader.problem(name, `names a file of more than ${MAX_BYTES} bytes, or something that has no end`);
    return text;
  } catch (error) {
    const why = `${systemCause(error) ?? 'unknown error'}${hintFor(error)}`;
    reader.problem(name, `names a file that cannot be read${shownPath(path)}: ${why}`);
    return undefined;
  }
}

/** Only what looks like a path: the value may be a secret in the wrong place. */
function shownPath(value: string): string {
  const looksLikeOne =
    /^(?:\.{0,2}\/)?[\w./ -]{1,200}\.[a-z]{2,6}$/i.test(value) || /^\/[\w./ -]{1,200}$/.test(value);
  return looksLikeOne ? ` (${resolve(value)})` : '';
}

/** For files that hold a secret. Only a warning: mounted secrets are often readable and not ours to change. */
export function warnIfReadableByOthers(reader: SettingReader, name: SettingName): void {
  const path = reader.given(name);
  const mode = path === undefined ? undefined : statsOf(path)?.mode;
  if (mode !== undefined && (mode & 0o077) !== 0)
    reader.warn(`${name} names a file that other users may read`);
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

function hintFor(error: unknown): string {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return missing ? '; a relative path begins where the server was started' : '';
}

/** Undefined when there is nothing, whatever the reason: a name that is too long, a file where a folder should be. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
