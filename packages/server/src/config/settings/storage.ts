/** Where the server keeps its data. */
import type { Setting } from '../setting.js';

export const storageSettings = [
  {
    name: 'HANDOVER_DATA_DIR',
    kind: 'path',
    default: '',
    description:
      'Data folder; else MACP_DATA_DIR, else $XDG_DATA_HOME/handover, else ~/.local/share/handover. `serve --dev` has one of its own beside it: handover-dev.',
  },
  {
    name: 'MACP_DATA_DIR',
    kind: 'path',
    default: '',
    description: 'Data folder, when HANDOVER_DATA_DIR is not set.',
  },
  {
    name: 'HANDOVER_DATABASE_URL',
    kind: 'url',
    default: '',
    secret: true,
    description:
      'postgresql://user:password@host:5432/database: keep the log in this PostgreSQL; the data folder then holds keys only. See docs/running/postgresql.md.',
  },
  {
    name: 'MACP_MEMORY_ONLY',
    kind: 'flag',
    default: '',
    description: '1: keep everything in memory; nothing survives the process.',
  },
  {
    name: 'MACP_STORAGE_BACKEND',
    kind: 'choice',
    default: 'sqlite',
    choices: ['sqlite', 'file', 'memory'],
    description: 'sqlite (`file` means the same), or memory.',
  },
] as const satisfies readonly Setting[];
