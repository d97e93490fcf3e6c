/** The store that the configuration names, and the data folder beside it. */
import { existsSync } from 'node:fs';
import type { HandoverError } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import type { StoreSettings } from '../config/read-store.js';
import { openKeyring } from '../keys/keyring.js';
import type { Log } from '../observe/log.js';
import { type FolderUse, openDataFolder } from '../store/open-data-folder.js';
import { dataFolder } from '../store/sqlite/data-folder.js';
import { lockFolder } from '../store/sqlite/lock.js';
import { openSqliteStore } from '../store/sqlite/sqlite-store.js';
import { VERSION } from '../version.js';

export async function openStore(
  configuration: Configuration,
  log: Log,
  onFatal?: (fault: HandoverError) => void,
): Promise<Store> {
  const { store } = configuration;
  if (store.kind === 'memory') return createMemoryStore();
  openDataFolder(store.folder, useOf(configuration));
  const opened =
    store.kind === 'postgres'
      ? await openDatabase(store, useOf(configuration), log, onFatal)
      : await openSqliteStore({
          directory: store.folder,
          diskFloorBytes: configuration.limits.diskFloorBytes,
          ...(onFatal && { onFatal }),
        });
  try {
    // The receipt key is made now, under the folder's lock, so that no two processes can make two.
    openKeyring(store.folder);
    return opened;
  } catch (thrown) {
    await opened.close();
    throw thrown;
  }
}

/** One server has the folder beside the database: its keys, its socket, and how far its webhooks came. */
async function openDatabase(
  { folder, url }: Extract<StoreSettings, { kind: 'postgres' }>,
  use: FolderUse,
  log: Log,
  onFatal?: (fault: HandoverError) => void,
): Promise<Store> {
  const { database, lock } = dataFolder(folder);
  if (existsSync(database))
    log.warn('store.other_log', {
      message: `${database} holds a log too; this server keeps its log in PostgreSQL and does not read that one`,
    });
  const lockOnFolder = lockFolder(lock);
  try {
    // Loaded where it is used only: an assistant waits for the start of its server.
    const { openPostgresStore } = await import('../store/postgres/index.js');
    const store = await openPostgresStore({ url, use, version: VERSION, log, ...(onFatal && { onFatal }) });
    const close = async (): Promise<void> => {
      await store.close();
      lockOnFolder.release();
    };
    let closing: Promise<void> | undefined;
    return { ...store, close: () => (closing ??= close()) };
  } catch (thrown) {
    lockOnFolder.release();
    throw thrown;
  }
}

function useOf({ auth, forAssistants }: Configuration): FolderUse {
  if (forAssistants) return 'local';
  return auth.kind === 'dev' ? 'dev' : 'credentials';
}
