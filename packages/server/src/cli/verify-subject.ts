import { open, readFile, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemCause } from '../platform/system-cause.js';
import { notFound, refused } from './conventions/failure.js';
import { requireData } from './require-data.js';

export type Subject = { readonly kind: 'data' } | { readonly kind: 'document'; readonly text: string };

/** What stands for stdin in place of a path. */
export const STDIN = '-';
const SQLITE = Buffer.from('SQLite format 3\0');

/** Says what the path holds. It must run before SQLite opens the database: closing it later drops SQLite's locks. */
export async function readSubject(path: string): Promise<Subject> {
  if (path === STDIN) return { kind: 'document', text: await text(process.stdin) };
  const found = await stat(path).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw notFound(`there is no ${path}`);
    throw refused(`${path} cannot be read: ${systemCause(cause) ?? 'unknown error'}`, '', cause);
  });
  // By name, too: a damaged header must not make a database look like something else.
  if (found.isDirectory()) await requireData(path);
  if (found.isDirectory() || path.endsWith('.db') || (await begins(path, SQLITE))) return { kind: 'data' };
  return { kind: 'document', text: await readFile(path, 'utf8') };
}

async function begins(path: string, bytes: Buffer): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, 0);
    return buffer.equals(bytes);
  } finally {
    await file.close();
  }
}
