import { stat } from 'node:fs/promises';
import { holdsData } from '../store/sqlite/index.js';
import { notFound } from './conventions/failure.js';

/** A folder in which nothing was ever stored is no flaw, and said alike by every command. A path to a file is let pass. */
export async function requireData(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isDirectory()) return;
  if (await holdsData(path)) return;
  throw notFound(`no Handover data in ${path}`, await whereElse(path));
}

/** Where all assistants were connected to a server elsewhere, nothing ever comes into this folder. */
async function whereElse(path: string): Promise<string> {
  if (process.env.HANDOVER_DATABASE_URL)
    return 'The log of HANDOVER_DATABASE_URL is in PostgreSQL: --server names its server, and "export" and "receipt" read it';
  const { readRecord } = await import('./install/record.js');
  const servers = readRecord(path).map(({ elsewhere }) => elsewhere?.server);
  const named = [...new Set(servers.flatMap((server) => server ?? []))];
  if (named.length === 0 || servers.includes(undefined))
    return 'The first call of an assistant makes it; --data-dir names another folder';
  return `The assistants here hand over through ${named.join(', ')}: they show what waits (listSessions), and so does this command where that server runs`;
}
