/** The last entry of an expired session; it is not an envelope and is not delivered as one. */
export const EXPIRED_TYPE = 'SessionExpired';
