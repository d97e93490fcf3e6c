/**
 * Events that hooks have told and that wait to be captured: one small file each in the data folder. A hook ends with its
 * client, so it only puts a file here; `handover capture --spool` does the rest.
 *
 * Q1. The same event of the same session within two seconds is one file, whoever writes it.
 * Q2. A file is there whole or not at all.
 * Q3. What is no event is set aside and keeps nothing from the others (take-from-spool.ts).
 * Q4. At most 2,000 events wait, with at most 64 MiB, and none longer than 7 days: the oldest go first (spool-limits.ts).
 * Q5. Only what this user has put there is taken, and from a data folder that is this user's alone (own-folder.ts): an event
 *     names a file, a token and a server to send them to.
 */
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.js';
import { closeEmptyFolder } from '../../platform/own-folder.js';
import type { HookClient, HookEvent } from './clients.js';
import type { HookPayload } from './hook-payload.js';
import { makeRoom } from './spool-limits.js';

export interface SpooledEvent extends HookPayload {
  readonly v: 1;
  readonly client: HookClient;
  readonly event: HookEvent;
  /** Absent: the client's name, or at a server elsewhere the token's. */
  readonly agent?: string;
  readonly at: number;
  /** HANDOVER_CAPTURE_PARKS: work is left for others when its client ends. */
  readonly parks: boolean;
  /** `--project`, and what the client says in its environment. */
  readonly project?: string;
  /** A server elsewhere, and where the token for it is: `@` and a path. */
  readonly server?: string;
  readonly token?: string;
}

const FOLDER = 'spool';
const NAME = /^[0-9a-f]{64}\.json$/;
const SAME_EVENT_MS = 2_000;

export const spoolFolder = (dataFolder: string): string => join(dataFolder, FOLDER);

export function spoolName({ client, session, event, at, server }: SpooledEvent): string {
  const parts = [client, session, event, Math.floor(at / SAME_EVENT_MS)];
  const same = JSON.stringify(server === undefined ? parts : [...parts, server]);
  return `${createHash('sha256').update(same).digest('hex')}.json`;
}

/** False: it waits already. */
export function putInSpool(dataFolder: string, event: SpooledEvent): boolean {
  const folder = spoolFolder(dataFolder);
  makeFolder(dataFolder);
  closeEmptyFolder(dataFolder);
  makeFolder(folder);
  makeRoom(dataFolder, folder, Date.now());
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

export const removeFromSpool = (dataFolder: string, name: string): void =>
  rmSync(join(spoolFolder(dataFolder), name), { force: true, recursive: true });
