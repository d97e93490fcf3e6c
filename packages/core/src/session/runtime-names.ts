/** Names that only the runtime writes into a session. */

/** The runtime's own name on entries that nobody asked for. */
export const RUNTIME_ACTOR = '_runtime';
/** The last entry of an expired session; it is not an envelope and is not delivered as one. */
export const EXPIRED_TYPE = 'SessionExpired';
