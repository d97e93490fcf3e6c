/** Settings for a server with real credentials: agents in two tenants, among them a reader and an administrator. */
export interface TokenSpec {
  readonly sender: string;
  readonly tenant?: string;
  readonly scopes?: readonly string[];
}

export function tokensEnv(tokens: Readonly<Record<string, TokenSpec>>): Readonly<Record<string, string>> {
  const list = Object.entries(tokens).map(([token, spec]) => ({ token, ...spec }));
  return { MACP_AUTH_TOKENS_JSON: JSON.stringify(list) };
}

export const PEOPLE = tokensEnv({
  'alice-token': { sender: 'alice' },
  'bob-token': { sender: 'bob' },
  'carol-token': { sender: 'carol' },
  'other-alice-token': { sender: 'alice', tenant: 'elsewhere' },
  'reader-token': { sender: 'reader', scopes: ['handoff:read'] },
  'admin-token': {
    sender: 'admin',
    scopes: ['handoff:read', 'handoff:write', 'handoff:offer', 'handoff:accept', 'handoff:admin'],
  },
});
