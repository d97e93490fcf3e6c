export { holdsData, openSqliteReadOnly, type SqliteReadOnly } from './read-only.js';
export { openSqliteStore } from './sqlite-store.js';
