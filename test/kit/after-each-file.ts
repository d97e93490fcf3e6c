/** Runs for every test file. Modules are kept from one file to the next, so a hook in a module would run for the first alone. */
import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.js';

afterAll(removeTemporaryFolders);
