/** The recorded histories, as their files hold them. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Entry, readExport, type StreamRef } from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';

const here = new URL('.', import.meta.url);
const PINS = ['state-hashes', 'entry-types'];

export interface History {
  readonly ref: StreamRef;
  readonly entries: readonly Entry[];
}

/** Each folder of recordings is named after the version that made them. */
export const versions = readdirSync(here, { withFileTypes: true })
  .filter((item) => item.isDirectory() && /^\d/.test(item.name))
  .map(({ name }) => name);

/** Names of the histories of a version: paths without `.json`. */
export function namesOf(version: string): readonly string[] {
  const files = readdirSync(new URL(`${version}/`, here), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replaceAll('\\', '/').replace('.json', ''))
    .filter((name) => !PINS.includes(name))
    .sort();
}

const read = (version: string, name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${version}/${name}.json`, here), 'utf8'));

export const pinnedHashes = (version: string) => read(version, 'state-hashes') as Record<string, string>;
export const pinnedTypes = (version: string) => read(version, 'entry-types') as Record<string, string[]>;

export function readHistory(version: string, name: string): History {
  const found = readExport(read(version, name) as Parameters<typeof readExport>[0], nodeCodec);
  if ('flaw' in found) throw new Error(`${name}: ${found.flaw.what}`);
  return found;
}

export const allHistories = (): readonly History[] =>
  versions.flatMap((version) => namesOf(version).map((name) => readHistory(version, name)));
