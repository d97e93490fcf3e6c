/** Where a page's secret may stand, and which static tokens a server starts with. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serve } from '../kit/handover-command.js';
import { selfSigned } from '../kit/self-signed.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { tokensEnv } from '../kit/tokens.js';
import { O1 } from '../operations/support/examples.js';
import { openWorld, secretIn, type World } from '../operations/support/world.js';

const worlds: World[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.close())));

describe('hardening:H14 the secret of a page', () => {
  const external = { MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: 'https://workbench.example/import' };
  const [off, on] = [404, 200];

  it.each([
    ['by default', {}, { query: off, body: on }],
    ['with external pages', external, { query: on, body: on }],
    ['when allowed', { HANDOVER_QUERY_SECRETS: '1' }, { query: on, body: on }],
    ['when forbidden', { ...external, HANDOVER_QUERY_SECRETS: '0' }, { query: off, body: off }],
  ])('hardening:H14 in ?k= and in a body, %s', async (_, env, expected) => {
    const world = await openWorld({ env });
    worlds.push(world);
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const secret = secretIn(data.operationUrl);
    const path = `/api/operations/${data.id}`;
    const body = { status: 'opened' };
    expect((await world.api(`${path}?k=${secret}`)).status).toBe(expected.query);
    expect((await world.api(`${path}/status?k=${secret}`, { body })).status).toBe(expected.query);
    expect((await world.api(`${path}/status`, { body: { ...body, secret } })).status).toBe(expected.body);
    expect((await world.api(path, { secret })).status).toBe(200);
  });
});

describe('hardening:H14 static tokens', () => {
  const short = tokensEnv({ 'long-enough-for-everybody-0': { sender: 'a' }, 'tiny-canary': { sender: 'b' } });

  it('hardening:H14 that can be guessed keep a server from starting that others can reach', async () => {
    const folder = temporaryFolder();
    const { cert, key } = selfSigned('handover.example');
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const tls = { MACP_TLS_CERT_PATH: file('cert', cert), MACP_TLS_KEY_PATH: file('key', key) };
    const refused = serve(['--memory-only', '--http-host', '0.0.0.0'], { ...short, ...tls });
    expect(await refused.exited).toBe(2);
    expect(refused.stderr).toMatch(/MACP_AUTH_TOKENS_JSON: item 2: .*24 bytes.*openssl rand/);
    expect(refused.stderr).not.toContain('tiny-canary');
  });

  it('hardening:H14 that can be guessed are warned about on loopback, once', async () => {
    const server = serve(['--memory-only'], { ...short, MACP_ALLOW_INSECURE: '1' });
    await server.ready();
    expect(await server.stop()).toBe(0);
    expect(server.stderr.match(/24 bytes/g)).toHaveLength(1);
    expect(server.stderr).not.toContain('tiny-canary');
  });
});
