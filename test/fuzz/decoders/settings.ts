/** The environment: every setting with values that fit, nearly fit, or come from somewhere else. */
import { FaultCode, HandoverError } from '@handover/core';
import { readConfiguration, settings } from '../../../packages/server/src/config/configuration.js';
import { decoderTarget } from '../decoder-target.js';
import type { Json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text, word } from '../values/texts.js';

const TOKENS: Json = [
  {
    token: 'a-token-that-is-long-enough',
    sender: 'alice',
    scopes: ['handoff:read'],
    can_start_sessions: true,
  },
];
const JWKS: Json = { keys: [{ kty: 'oct', kid: '1', k: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA' }] };

/** Values by kind of setting; the first ones fit. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  text: ['handover', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwMfKQ9r8GKYqrTw'],
  integer: ['1', '60', '3600', '1048576', '-1', '1.5', '1e3', '99999999999999999999', '٣'],
  flag: ['1', '0', 'true'],
  choice: ['sqlite', 'memory', 'info', '0', '1'],
  list: ['localhost,127.0.0.1', 'https://a.example,http://localhost:*', 'RS256,HS256', 'handoff', ',,', '*'],
  address: ['127.0.0.1:0', '[::1]:50051', '0.0.0.0:1', '127.0.0.1:65536', 'localhost:1'],
  host: ['127.0.0.1', '::1', 'localhost', '[::1]', '::ffff:127.0.0.1', 'fe80::1%eth0'],
  cidr: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '10.0.0.0/0', '10.0.0.0/33'],
  url: [
    'https://a.example/mcp',
    'http://127.0.0.1:3100',
    'http://user:pw@a.example',
    'file:///etc/passwd',
    'https://[::1',
  ],
  path: ['/nonexistent', '/', '.', '/dev/null'],
  json: [JSON.stringify(TOKENS), JSON.stringify(JWKS), '[]', '{}', 'null'],
};

function value(random: Random, kind: string): string {
  const sample = random.pick(SAMPLES[kind] ?? ['']);
  if (kind === 'json' && random.oneIn(2))
    return JSON.stringify(mutateJson(random, random.oneIn(2) ? TOKENS : JWKS));
  // A process can have no NUL in its environment.
  const given = random.oneIn(2) ? sample : random.oneIn(3) ? text(random, 300) : mutateText(random, sample);
  return given.replaceAll('\u0000', '');
}

export const environment = decoderTarget({
  name: 'settings',
  generate(random) {
    const chosen = settings.filter(() => random.oneIn(12));
    const env: Record<string, string> = random.oneIn(2)
      ? { MACP_AUTH_TOKENS_JSON: JSON.stringify(TOKENS) }
      : {};
    for (const { name, kind } of chosen) env[name] = value(random, kind);
    if (random.oneIn(4))
      env[`HANDOVER_RPC_URL_${random.pick(['1', '', '0x1', text(random, 20)])}`] = value(random, 'url');
    if (random.oneIn(4)) env[`HANDOVER_${word(random).toUpperCase()}`] = value(random, 'text');
    return { env, dev: random.oneIn(2), bind: random.oneIn(6) ? value(random, 'address') : null };
  },
  check(input) {
    const { env, dev, bind } = input as { env: Record<string, string>; dev: boolean; bind: string | null };
    try {
      readConfiguration({ HOME: '/nonexistent', ...env }, { dev, ...(bind !== null && { bind }) });
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof HandoverError) || thrown.code !== FaultCode.CONFIGURATION) throw thrown;
      return undefined;
    }
  },
});
