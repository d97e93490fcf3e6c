/** The store that the configuration names, in a folder that is fit for it. */
import type { HandoverError } from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import type { Configuration } from '../config/configuration.js';
import { openKeyring } from '../keys/keyring.js';
import { type FolderUse, openDataFolder } from '../store/open-data-folder.js';
import { openSqliteStore } from '../store/sqlite/sqlite-store.js';

export async function openStore(
  configuration: Configuration,
  onFatal?: (fault: HandoverError) => void,
): Promise<Store> {
  if (configuration.store.kind === 'memory') return createMemoryStore();
  const { folder } = configuration.store;
  openDataFolder(folder, useOf(configuration));
  const store = await openSqliteStore({
    directory: folder,
    diskFloorBytes: configuration.limits.diskFloorBytes,
    ...(onFatal && { onFatal }),
  });
  try {
    // The receipt key is made now, under the store's lock, so that no two processes can make two.
    openKeyring(folder);
    return store;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

function useOf({ auth, forAssistants }: Configuration): FolderUse {
  if (forAssistants) return 'local';
  return auth.kind === 'dev' ? 'dev' : 'credentials';
}
