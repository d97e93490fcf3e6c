/** JWTs, key sets, static tokens and names in client certificates. A changed token is never somebody else's. */
import { createHmac } from 'node:crypto';
import { readClientCertificate, senderOf } from '../../../packages/server/src/auth/client-certificate.js';
import { readJwks } from '../../../packages/server/src/auth/jwks.js';
import { createJwtVerifier } from '../../../packages/server/src/auth/jwt.js';
import { inlineKeys } from '../../../packages/server/src/auth/jwt-keys.js';
import { readStaticTokens } from '../../../packages/server/src/auth/static-tokens.js';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text } from '../values/texts.js';

const SECRET = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA';
const JWKS: Json = {
  keys: [
    { kty: 'oct', kid: '1', alg: 'HS256', use: 'sig', k: SECRET },
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    },
    { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  ],
};
const CLAIMS: Readonly<Record<string, Json>> = {
  iss: 'https://issuer.example',
  aud: 'macp-runtime',
  sub: 'alice',
  tenant: 'default',
  scope: 'handoff:read handoff:write',
  macp_scopes: { can_start_sessions: true, allowed_modes: ['macp.mode.handoff.v1'], max_open_sessions: 3 },
};
const TOKENS: Json = [
  {
    token: 'a-token',
    sender: 'alice',
    tenant: 'default',
    scopes: ['handoff:read'],
    can_start_sessions: true,
    is_observer: false,
  },
];
const NOW = 1_700_000_000_000;
const read = readJwks(JSON.stringify(JWKS));
const verifier = createJwtVerifier({
  issuer: 'https://issuer.example',
  audiences: ['macp-runtime'],
  algorithms: ['HS256', 'ES256', 'EdDSA'],
  keys: inlineKeys(read.ok ? read.keys : []),
  now: () => NOW,
});

const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed with the right key over claims that may be wrong. */
function signed(claims: Json): string {
  const content = `${part({ alg: 'HS256', kid: '1' })}.${part(claims)}`;
  const signature = createHmac('sha256', Buffer.from(SECRET, 'base64url'))
    .update(content)
    .digest('base64url');
  return `${content}.${signature}`;
}

function subjectNames(random: Random): string {
  const one = () =>
    `${random.pick(['URI', 'DNS', 'IP Address', 'email'])}:${random.oneIn(3) ? JSON.stringify(text(random, 40)) : text(random, 40)}`;
  return Array.from({ length: random.between(1, 3) }, one).join(', ');
}

export const credentials = decoderTarget({
  name: 'credentials',
  generate(random) {
    const claims: Json = { ...CLAIMS, exp: NOW / 1_000 + 600, iat: NOW / 1_000 };
    const header = random.oneIn(4)
      ? json(random)
      : mutateJson(random, { alg: 'HS256', kid: '1', typ: 'JWT', crit: [] });
    return {
      claims: random.oneIn(3) ? claims : mutateJson(random, claims),
      token: `${part(header)}.${part(mutateJson(random, claims))}.${random.oneIn(3) ? '' : SECRET}`,
      damage: random.oneIn(4) ? '' : mutateText(random, 'eyJ.eyJ.abc'),
      jwks: jsonText(random, mutateJson(random, JWKS)),
      tokens: jsonText(random, mutateJson(random, TOKENS)),
      names: subjectNames(random),
      commonName: random.oneIn(4) ? null : text(random, 80),
    };
  },
  async check(input) {
    const given = input as {
      claims: Json;
      token: string;
      damage: string;
      jwks: string;
      tokens: string;
      names: string;
      commonName: string | null;
    };
    for (const token of [given.token, given.damage, `${given.token}${given.damage}`])
      if ((await verifier.verify(token)).ok) return 'a token that nobody signed is accepted';
    await verifier.verify(signed(given.claims));
    const keys = readJwks(given.jwks);
    if (keys.ok && keys.keys.length === 0) return 'a key set without a key is accepted';
    const tokens = readStaticTokens(given.tokens);
    if (tokens.ok && tokens.tokens.find('') !== undefined) return 'an empty token is accepted';
    const certificate = readClientCertificate({
      subjectaltname: given.names,
      subject: { CN: given.commonName ?? undefined },
    });
    if (certificate) senderOf(certificate);
    return undefined;
  },
});
