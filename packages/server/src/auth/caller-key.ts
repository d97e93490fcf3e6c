import type { Principal } from './principal.js';

/** One text for a caller. Unique, because neither tenant nor agent can contain a control character. */
export const callerKey = ({ tenant, agent }: Pick<Principal, 'tenant' | 'agent'>): string =>
  `${tenant}\u0000${agent}`;
