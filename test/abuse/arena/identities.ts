/**
 * Who takes part. All are in one tenant, where an attacker can do the most harm. Tokens are long enough for every build.
 */
const token = (name: string) => `${name}-${'0123456789abcdef'.repeat(2)}`;
const names = (role: string, count: number) => Array.from({ length: count }, (_, n) => `${role}-${n}`);

/** The well-behaved client uses several agents, so that each stays below its limits. */
export const OWNERS = names('owner', 4);
export const HELPERS = names('helper', 4);

export const Token = {
  attacker: token('attacker'),
  accomplice: token('accomplice'),
  reader: token('reader'),
  observer: token('observer'),
  admin: token('admin'),
} as const;

export const tokenOf = token;

export const IDENTITIES = {
  MACP_ALLOW_INSECURE: '1',
  MACP_AUTH_TOKENS_JSON: JSON.stringify([
    { token: Token.attacker, sender: 'attacker' },
    { token: Token.accomplice, sender: 'accomplice' },
    { token: Token.reader, sender: 'reader', scopes: ['handoff:read'], can_start_sessions: false },
    { token: Token.observer, sender: 'observer', is_observer: true },
    { token: Token.admin, sender: 'admin', can_manage_mode_registry: true },
    ...[...OWNERS, ...HELPERS].map((sender) => ({ token: token(sender), sender })),
  ]),
};
