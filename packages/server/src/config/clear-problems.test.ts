/** What an operator reads when a start fails must say which thing is wrong, and where. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HandoverError } from '@handover/core';
import { expect, it } from 'vitest';
import { readStaticTokens } from '../auth/static-tokens.js';
import { readConfiguration } from './configuration.js';

const TOKENS = { MACP_AUTH_TOKENS_JSON: '[{"token":"a-token-of-at-least-24-bytes","sender":"s"}]' };
const folder = mkdtempSync(join(tmpdir(), 'handover-problems-'));

function problem(env: Readonly<Record<string, string>>): string {
  try {
    readConfiguration({ HOME: folder, ...env });
  } catch (thrown) {
    return HandoverError.from(thrown).shortMessage;
  }
  throw new Error('it is taken');
}

it('a switch that is not 1 is named when the start fails because of it', () => {
  expect(problem({ ...TOKENS, MACP_ALLOW_INSECURE: 'true' })).toContain(
    'MACP_ALLOW_INSECURE is off: only 1 switches it on',
  );
});

it('the address of metrics has an example of its own', () => {
  const said = problem({ ...TOKENS, MACP_ALLOW_INSECURE: '1', MACP_METRICS_ADDR: '9464' });
  expect(said).toContain('MACP_METRICS_ADDR: must be ip:port, such as 127.0.0.1:9465');
  expect(said).not.toContain('50051');
});

it.each([
  [{ MACP_METRICS_ADDR: '127.0.0.1:3100' }, 'MACP_METRICS_ADDR: is also the address of MCP_HTTP_PORT'],
  [{ MACP_METRICS_ADDR: '127.0.0.1:50051' }, 'MACP_METRICS_ADDR: is also the address of MACP_BIND_ADDR'],
  [{ MCP_HTTP_PORT: '50051' }, 'MCP_HTTP_PORT: is also the address of MACP_BIND_ADDR'],
])('two listeners on one address are told apart from another program: %j', (env, words) => {
  expect(problem({ ...TOKENS, MACP_ALLOW_INSECURE: '1', ...env })).toContain(words);
});

it('listeners on free ports, or on other addresses, do not clash', () => {
  const env = { ...TOKENS, MACP_ALLOW_INSECURE: '1', MCP_HTTP_PORT: '0', MACP_BIND_ADDR: '127.0.0.1:0' };
  readConfiguration({ HOME: folder, ...env, MACP_METRICS_ADDR: '127.0.0.1:0' });
  readConfiguration({
    HOME: folder,
    ...env,
    MACP_BIND_ADDR: '127.0.0.2:9999',
    MACP_METRICS_ADDR: '127.0.0.1:9999',
  });
});

it('a file that is not there is named, unless it may be a secret in the wrong place', () => {
  const missing = join(folder, 'tokens.json');
  expect(problem({ MACP_AUTH_TOKENS_FILE: missing, MACP_ALLOW_INSECURE: '1' })).toContain(missing);
  for (const secret of ['hunter2-hunter2-hunter2', '[{"token":"hunter2-hunter2"}]', 'aa/hunter2/bb=='])
    expect(problem({ MACP_AUTH_TOKENS_FILE: secret, MACP_ALLOW_INSECURE: '1' })).not.toContain('hunter2');
});

it('a file of tokens that is no JSON is wrong at a place, without what stands there', () => {
  const path = join(folder, 'broken.json');
  writeFileSync(path, '{ "tokens": [\n  { "token": "hunter2", "sender": "alice", }\n] }\n', { mode: 0o600 });
  const said = problem({ MACP_AUTH_TOKENS_FILE: path, MACP_ALLOW_INSECURE: '1' });
  expect(said).toContain('line 2, column 44');
  expect(said).not.toContain('hunter2');
  expect(readStaticTokens('[\n{"token": "hunter2"')).toMatchObject({
    flaws: [expect.stringContaining('it ends too early')],
  });
});

it('a key for another algorithm is named by its algorithm', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const keys = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
  const said = problem({ MACP_AUTH_ISSUER: 'i', MACP_AUTH_JWKS_JSON: keys, MACP_ALLOW_INSECURE: '1' });
  expect(said).toContain('EdDSA');
  expect(said).toContain('MACP_AUTH_JWT_ALGS=RS256,ES256,EdDSA');
});
