export { openPostgresStore, type PostgresOptions } from './postgres-store.js';
export { openPostgresReadOnly } from './read-only.js';
