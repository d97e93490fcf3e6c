/**
 * Events that hooks have told and that wait to be captured: one small file each in the data folder. A hook ends with its
 * client, so it only puts a file here; `handover capture --spool` does the rest.
 *
 * Q1. The same event of the same session within two seconds is one file, whoever writes it.
 * Q2. A file is there whole or not at all.
 * Q3. At most 2,000 files wait, and none longer than 7 days.
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.js';
import type { HookClient, HookEvent } from './clients.js';
import type { HookPayload } from './hook-payload.js';

export interface SpooledEvent extends HookPayload {
  readonly v: 1;
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly agent: string;
  readonly at: number;
  /** HANDOVER_CAPTURE_PARKS: work is left for others when its client ends. */
  readonly parks: boolean;
  /** `--project`, and what the client says in its environment. */
  readonly project?: string;
}

const FOLDER = 'spool';
const NAME = /^[0-9a-f]{64}\.json$/;
const SAME_EVENT_MS = 2_000;
const MAX_FILES = 2_000;
const MAX_BYTES = 65_536;
const MAX_AGE_MS = 7 * 86_400_000;

export const spoolFolder = (dataFolder: string): string => join(dataFolder, FOLDER);

export function spoolName({ client, session, event, at }: SpooledEvent): string {
  const same = JSON.stringify([client, session, event, Math.floor(at / SAME_EVENT_MS)]);
  return `${createHash('sha256').update(same).digest('hex')}.json`;
}

/** False: it waits already, or too many wait. */
export function putInSpool(dataFolder: string, event: SpooledEvent): boolean {
  const folder = spoolFolder(dataFolder);
  makeFolder(folder);
  if (waiting(dataFolder).length >= MAX_FILES) return false;
  const temporary = join(folder, `${randomBytes(8).toString('hex')}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(event), { mode: 0o600, flag: 'wx' });
    // Fails where the name is taken, which a rename would not.
    linkSync(temporary, join(folder, spoolName(event)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The names of what waits, in no order. */
export function waiting(dataFolder: string): readonly string[] {
  try {
    return readdirSync(spoolFolder(dataFolder)).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}

/** What waits under a name; undefined when it is gone, too old or no event: then it is removed, too. */
export function takeFromSpool(dataFolder: string, name: string, now: number): SpooledEvent | undefined {
  const path = join(spoolFolder(dataFolder), name);
  const event = statSync(path, { throwIfNoEntry: false })?.isFile() ? readEvent(path) : undefined;
  if (event && now - event.at <= MAX_AGE_MS) return event;
  removeFromSpool(dataFolder, name);
  return undefined;
}

export const removeFromSpool = (dataFolder: string, name: string): void =>
  rmSync(join(spoolFolder(dataFolder), name), { force: true, recursive: true });

function readEvent(path: string): SpooledEvent | undefined {
  try {
    if (statSync(path).size > MAX_BYTES) return undefined;
    const value = JSON.parse(readFileSync(path, 'utf8'));
    return value?.v === 1 && typeof value.at === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}
