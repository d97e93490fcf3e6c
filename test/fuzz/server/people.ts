/** Who asks. With static tokens each has a token; in dev mode the name itself is the token. */
import { ALL_SCOPES } from '../../../packages/server/src/auth/scopes.js';
import { tokensEnv } from '../../kit/tokens.js';

const PEOPLE = {
  alice: { sender: 'alice' },
  bob: { sender: 'bob' },
  carol: { sender: 'carol' },
  canary: { sender: 'canary' },
  'canary-target': { sender: 'canary-target' },
  reader: { sender: 'reader', scopes: ['handoff:read'] },
  elsewhere: { sender: 'alice', tenant: 'elsewhere' },
  admin: { sender: 'admin', scopes: [...ALL_SCOPES], can_manage_mode_registry: true },
};

export type Mode = 'static' | 'dev';
/** The agents that cases speak as; a well-behaved client has names of its own. */
export const AGENTS = ['alice', 'bob', 'carol', 'alice', 'bob', 'admin', 'reader', 'elsewhere'] as const;

const tokenOf = (name: string): string => `token-of-${name}-`.padEnd(40, 'x');

export const TOKENS = tokensEnv(
  Object.fromEntries(Object.entries(PEOPLE).map(([name, spec]) => [tokenOf(name), spec])),
);

/** Undefined for nobody; anything that is no name is sent as it is. */
export function bearerOf(mode: Mode, as: string): string | undefined {
  if (as === '') return undefined;
  return mode === 'static' && Object.hasOwn(PEOPLE, as) ? tokenOf(as) : as;
}
