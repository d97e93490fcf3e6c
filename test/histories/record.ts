/**
 * node --import tsx test/histories/record.ts <version>
 *
 * Records each story that the version does not have yet, once per release. A file that is there is never written again:
 * every later version must replay it to the same state.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { canonicalJson, exportOf } from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { foldedHash } from './fold.js';
import { namesOf, readHistory } from './read-histories.js';
import { bundleStories } from './recording/bundle-stories.js';
import { modeStories } from './recording/mode-stories.js';
import { raceStories } from './recording/race-stories.js';
import { registryStories } from './recording/registry-stories.js';
import { sessionStartStories } from './recording/session-start-stories.js';
import { sessionStories } from './recording/session-stories.js';
import type { Recorded } from './recording/story.js';
import { transactionStories } from './recording/transaction-stories.js';
import { worklogStories } from './recording/worklog-stories.js';

const stories = {
  ...sessionStories,
  ...modeStories,
  ...transactionStories,
  ...raceStories,
  ...bundleStories,
  ...sessionStartStories,
  ...worklogStories,
  ...registryStories,
};

const [, , version] = process.argv;
if (!version) throw new Error('say which version');
const folder = new URL(`./${version}/`, import.meta.url);
const fileOf = (name: string): URL => new URL(`${name}.json`, folder);

/** Pins by name of history; what is pinned stays. */
const readPins = (name: string): Record<string, unknown> =>
  existsSync(fileOf(name)) ? (JSON.parse(readFileSync(fileOf(name), 'utf8')) as Record<string, unknown>) : {};
const hashes = readPins('state-hashes');
const types = readPins('entry-types');

function write({ name, ref, entries }: Recorded): void {
  if (existsSync(fileOf(name))) return;
  mkdirSync(new URL('.', fileOf(name)), { recursive: true });
  writeFileSync(fileOf(name), `${canonicalJson(exportOf(ref, entries, nodeCodec))}\n`);
  hashes[name] = foldedHash(ref, entries, nodeCodec);
}

mkdirSync(folder, { recursive: true });
const recorded: Recorded[] = [];
for (const [name, story] of Object.entries(stories))
  if (!existsSync(fileOf(name))) recorded.push(...(await story(name)));
// Nothing is written before every story has been told.
recorded.forEach(write);
for (const name of namesOf(version))
  types[name] ??= readHistory(version, name).entries.map(({ type }) => type);
for (const [name, pins] of Object.entries({ 'state-hashes': hashes, 'entry-types': types }))
  writeFileSync(fileOf(name), `${JSON.stringify(pins, null, 2)}\n`);
