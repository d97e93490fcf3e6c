/**
 * `installed.json` in the data folder: what this command wrote, where, and the digests by which it is recognised. It is
 * written before the files are changed, and again after: whatever happens between, nothing of ours is taken for foreign.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { INSTALLED_FILE, MAX_INSTALLED_BYTES } from '../../config/installed-agents.js';
import { writeFileAtomic } from '../../platform/atomic-file.js';
import { FileTooLarge, NoPlainFile, readPlainFile } from '../../platform/plain-file.js';
import { refused } from '../conventions/failure.js';

const mark = z.strictObject({
  digests: z.array(z.string()).min(1),
  lead: z.string(),
  tail: z.string(),
  made: z.number().int().min(0),
});
const insertion = z.strictObject({
  client: z.string(),
  scope: z.enum(['user', 'project']),
  /** A file, or for what a client's own program keeps, how that is called. */
  file: z.string(),
  place: z.string(),
  /** Under which name the client was installed. */
  agent: z.string(),
  /** A server elsewhere, where the assistant was connected to one; a token is named by its file. */
  elsewhere: z
    .strictObject({
      server: z.string(),
      token: z.string().exactOptional(),
      agent: z.string().exactOptional(),
    })
    .exactOptional(),
  mark,
  /** The file was not there before. */
  fileMade: z.boolean(),
  /** The first folder that was made for it. */
  folderMade: z.string().optional(),
});
const record = z.strictObject({ version: z.literal(1), insertions: z.array(insertion) });

export type Insertion = z.infer<typeof insertion>;

/** Who was connected, and to what. */
export type Identity = Pick<Insertion, 'client' | 'scope' | 'agent' | 'elsewhere'>;

export function readRecord(folder: string): readonly Insertion[] {
  const path = join(folder, INSTALLED_FILE);
  const text = textOf(path);
  if (text === undefined) return [];
  const read = record.safeParse(parsed(text));
  if (read.success) return read.data.insertions;
  throw refused(
    `${path} cannot be understood`,
    'Remove that file, or move it away; what it was about must then be removed by hand',
  );
}

/** What could not be read again is not written. */
export function writeRecord(folder: string, insertions: readonly Insertion[]): void {
  const path = join(folder, INSTALLED_FILE);
  const text = `${JSON.stringify({ version: 1, insertions }, null, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_INSTALLED_BYTES)
    throw refused(`${path} would have more than 1 MiB`, 'Uninstall what is no longer used');
  writeFileAtomic(path, text);
}

export const isSamePlace = (one: Insertion, other: Pick<Insertion, 'client' | 'file' | 'place'>): boolean =>
  one.client === other.client && one.file === other.file && one.place === other.place;

function textOf(path: string): string | undefined {
  try {
    return readPlainFile(path, MAX_INSTALLED_BYTES, 'followed').toString('utf8');
  } catch (thrown) {
    // Like one that is damaged.
    if (thrown instanceof NoPlainFile || thrown instanceof FileTooLarge) return '';
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
