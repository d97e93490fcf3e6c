import { stat } from 'node:fs/promises';
import { holdsData } from '../store/sqlite/index.js';
import { notFound } from './conventions/failure.js';

/** A folder in which nothing was ever stored is no flaw, and said alike by every command. A path to a file is let pass. */
export async function requireData(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isDirectory()) return;
  if (!(await holdsData(path)))
    throw notFound(
      `no Handover data in ${path}`,
      'The first call of an assistant makes it; --data-dir names another folder',
    );
}
