/** How callers are connected in tests that have no door that reads it. */
import type { Connection } from '../../packages/server/src/services/connection.js';

/** Nothing is known of it but that it is there: all sets of tools, no project, no window. */
export const plainConnection: Connection = { transport: 'http', since: 0 };
