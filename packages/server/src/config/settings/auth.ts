/** Which credentials are accepted. */
import type { Setting } from '../setting.js';

export const authSettings = [
  {
    name: 'HANDOVER_DEV_AGENT',
    kind: 'text',
    default: 'dev',
    description: 'In dev mode, the agent of an HTTP request without a bearer.',
  },
  {
    name: 'MACP_AUTH_TOKENS_JSON',
    kind: 'json',
    default: '',
    secret: true,
    description: 'Static tokens: a list, or {"tokens": [...]}.',
  },
  {
    name: 'MACP_AUTH_TOKENS_FILE',
    kind: 'path',
    default: '',
    description: 'File with the static tokens, when MACP_AUTH_TOKENS_JSON is not set.',
  },
  {
    name: 'MACP_AUTH_ISSUER',
    kind: 'text',
    default: '',
    description:
      'Issuer of JWTs; setting it turns JWTs on and needs MACP_AUTH_JWKS_JSON or MACP_AUTH_JWKS_URL.',
  },
  {
    name: 'MACP_AUTH_AUDIENCE',
    kind: 'text',
    default: 'macp-runtime',
    description: 'Audience that a JWT must name.',
  },
  {
    name: 'MACP_AUTH_JWKS_JSON',
    kind: 'json',
    default: '',
    secret: true,
    description: 'Keys of the issuer, as a JSON Web Key Set.',
  },
  {
    name: 'MACP_AUTH_JWKS_URL',
    kind: 'url',
    default: '',
    description: 'Where the issuer publishes its keys: https, or http on loopback.',
  },
  {
    name: 'MACP_AUTH_JWKS_TTL_SECS',
    kind: 'integer',
    default: '300',
    min: 1,
    max: 86_400,
    description: 'How long fetched keys are fresh.',
    beyond: 'they are fetched again; if that fails, the old ones serve for an hour more',
  },
  {
    name: 'HANDOVER_JWT_MAX_SECS',
    kind: 'integer',
    default: '2592000',
    min: 60,
    max: 315_360_000,
    description: 'The longest life of a JWT, from its iat (without one: from now) to its exp.',
    beyond: 'UNAUTHENTICATED',
  },
  {
    name: 'MACP_AUTH_JWT_ALGS',
    kind: 'list',
    default: 'RS256,ES256',
    choices: ['RS256', 'ES256', 'EdDSA', 'HS256'],
    description: 'Signature algorithms that are accepted.',
  },
] as const satisfies readonly Setting[];
