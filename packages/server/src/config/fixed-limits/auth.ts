/** What a credential may cost to check. */
import type { FixedLimit } from '../fixed-limits.js';

export const authLimits = {
  jwtBytes: {
    what: 'Length of a JWT (over HTTP all headers together have a limit of their own, too)',
    value: 16_384,
    unit: 'bytes',
    beyond: 'UNAUTHENTICATED; it is not read',
  },
  jwksKeys: {
    what: 'Keys in a key set: every one may have to be tried on a forged token',
    value: 32,
    unit: 'count',
    beyond: 'the key set is refused: at the start, or, when it was fetched, the keys from before stay in use',
  },
  jwksBytes: {
    what: 'Size of a key set that is fetched',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the key set is not read; the keys from before stay in use',
  },
  jwksFetchMs: {
    what: 'Time for fetching a key set',
    value: 5_000,
    unit: 'ms',
    beyond: 'the keys from before stay in use, as far as the next row lets them',
  },
  jwksStaleMs: {
    what: 'How long keys serve after their time (MACP_AUTH_JWKS_TTL_SECS) when newer ones cannot be fetched',
    value: 3_600_000,
    unit: 'ms',
    beyond: 'every JWT is UNAUTHENTICATED until keys can be fetched',
  },
  jwksRetryMs: {
    what: 'Pause after a fetch of keys that failed',
    value: 10_000,
    unit: 'ms',
    beyond: 'nothing is fetched before',
  },
  jwksRotationMs: {
    what: 'Pause between two fetches of keys that a token with an unknown key id asks for',
    value: 30_000,
    unit: 'ms',
    beyond: 'the token is checked with the keys that are there',
  },
  staticTokenBytes: {
    what: 'Length of a static token',
    value: 4_096,
    unit: 'bytes',
    beyond: 'the server does not start',
  },
  shortestStaticTokenBytes: {
    what: 'Length of a static token, at least',
    value: 24,
    unit: 'bytes',
    beyond: 'shorter: a server that others can reach does not start, one on loopback warns',
  },
  agentIdCharacters: {
    what: 'Name of an agent in an argument of a tool; an agent with a longer name cannot use the tools that name it',
    value: 100,
    unit: 'characters',
    beyond: 'VALIDATION_ERROR',
  },
  agentNameBytes: {
    what: 'Name of an agent or a tenant in a credential',
    value: 256,
    unit: 'bytes',
    beyond: 'UNAUTHENTICATED; in a setting, the server does not start',
  },
  rememberedSenders: {
    what: 'Senders, addresses or secrets that one rate limit remembers',
    value: 10_000,
    unit: 'count',
    beyond: 'the one that was idle longest is forgotten, and counted anew',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
