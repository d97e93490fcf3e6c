/**
 * Where the log is kept.
 *
 * C1. The URL of the database holds a password. It stands in the object, as what opens the store needs it, and in no
 *     problem, warning or log line.
 */
import type { SettingReader } from './setting-reader.js';

export type StoreSettings =
  | { readonly kind: 'sqlite'; readonly folder: string }
  /** The folder holds the keys of this server, and the socket of its commands. */
  | { readonly kind: 'postgres'; readonly folder: string; readonly url: string }
  | { readonly kind: 'memory' };

const PROTOCOLS: ReadonlySet<string> = new Set(['postgres:', 'postgresql:']);

export function readStore(reader: SettingReader, folder: string): StoreSettings {
  const backend = reader.choice('MACP_STORAGE_BACKEND');
  const memory = reader.flag('MACP_MEMORY_ONLY') || backend === 'memory';
  const url = reader.given('HANDOVER_DATABASE_URL');
  if (url === undefined) return Object.freeze(memory ? { kind: 'memory' } : { kind: 'sqlite', folder });
  const flaw = flawOf(url);
  if (flaw !== undefined) reader.problem('HANDOVER_DATABASE_URL', flaw);
  if (memory)
    reader.problem(
      'HANDOVER_DATABASE_URL',
      'names a database, and the other settings ask to keep nothing: remove one',
    );
  return Object.freeze({ kind: 'postgres', folder, url });
}

/** The data folder, where the server has one. */
export function folderOf(store: StoreSettings): string | undefined {
  return store.kind === 'memory' ? undefined : store.folder;
}

function flawOf(url: string): string | undefined {
  const wanted = 'must look like postgresql://user:password@host:5432/database';
  // The host may be a folder with a socket, percent-encoded, which `URL` does not take.
  const [, protocol = '', rest = ''] = /^([a-z]+:)\/\/(.*)$/s.exec(url) ?? [];
  if (!PROTOCOLS.has(protocol) || !URL.canParse(`http://${rest.replace(/%2[fF]/g, '-')}`)) return wanted;
  const path = rest.split('?')[0]?.split('/')[1] ?? '';
  return path === '' ? `${wanted}; it names no database` : undefined;
}
