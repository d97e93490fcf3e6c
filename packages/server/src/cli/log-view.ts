/** The log that commands look at: of a data folder, or of the database that HANDOVER_DATABASE_URL names. */
import type { SqliteReadOnly } from '../store/sqlite/index.js';
import { openSqliteReadOnly } from '../store/sqlite/index.js';
import { wrongUsage } from './conventions/failure.js';
import { type DataFlags, dataFolder, namedFolder } from './conventions/flags.js';
import { requireData } from './require-data.js';

export type LogView = Pick<
  SqliteReadOnly,
  'load' | 'read' | 'heads' | 'list' | 'feed' | 'close' | 'agents' | 'receipts'
>;

export interface LogPlace {
  /** Of the keys, and of the log unless a database is named. */
  readonly folder: string;
  readonly url?: string;
  /** For people. */
  readonly name: string;
}

/** A folder that is named in the command itself wins over the environment. */
export function logPlace(flags: DataFlags): LogPlace {
  const folder = dataFolder(flags);
  const url = process.env.HANDOVER_DATABASE_URL;
  if (!url || namedFolder(flags) !== undefined) return { folder, name: folder };
  return { folder, url, name: 'the database of HANDOVER_DATABASE_URL' };
}

export async function openLogView({ folder, url }: LogPlace): Promise<LogView> {
  if (url !== undefined) {
    const { openPostgresReadOnly } = await import('../store/postgres/index.js');
    return openPostgresReadOnly(url);
  }
  await requireData(folder);
  return openSqliteReadOnly(folder);
}

/** For commands that look at the file of a database, or at all of it. */
export function needsFolder(what: string, instead: string, flags: DataFlags): void {
  if (logPlace(flags).url === undefined) return;
  throw wrongUsage(
    `${what} reads a data folder, and this log is in PostgreSQL (HANDOVER_DATABASE_URL)`,
    instead,
  );
}
