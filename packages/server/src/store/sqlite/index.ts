export { openSqliteReadOnly, type SqliteReadOnly } from './read-only.js';
export { openSqliteStore, type SqliteOptions } from './sqlite-store.js';
