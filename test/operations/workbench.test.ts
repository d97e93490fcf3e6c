/** review:H6: which headers a page on another server gets, where, and what it is told. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../packages/server/src/config/configuration.js';
import { B2, S1 } from './support/examples.js';
import { useWorld, type Wire } from './support/world.js';

const WORKBENCH = 'https://workbench.example';
const NAMED = 'https://named.example:8443';
const world = await useWorld({
  env: {
    MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: `${WORKBENCH}/import`,
    HANDOVER_WORKBENCH_ORIGINS: NAMED,
  },
});

/** A request with headers that `fetch` does not let a program set. */
function ask(path: string, method: string, headers: Record<string, string>, body = ''): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, world.server.httpUrl), { method, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers }));
    });
    sent.on('error', reject).end(body);
  });
}

const cors = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
const preflight = (path: string, origin: string) =>
  ask(path, 'OPTIONS', { origin, 'access-control-request-method': 'POST' });

const { data: made } = await world.tool('alice', 'create_xdala_bundle_deploy_handoff', {
  network: 'n',
  chainId: 1879,
  bundle: B2(),
});
const path = `/api/bundle-deploy/${made.handle}`;

describe('review:H6 CORS', () => {
  it.each([WORKBENCH, NAMED])(
    'review:H6 the preflight of %s is answered, and nothing more is allowed',
    async (origin) => {
      const { status, headers } = await preflight(`${path}/status`, origin);
      expect(status).toBe(204);
      expect(cors(headers)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': '600',
      });
      expect(headers.vary).toBe('Origin');
    },
  );

  it('review:H6 answers carry the origin, errors included', async () => {
    for (const [at, status] of [
      [path, 200],
      [`/api/bundle-deploy/bd_${'0'.repeat(48)}`, 404],
    ] as const) {
      const answer = await ask(at, 'GET', { origin: WORKBENCH });
      expect(answer.status).toBe(status);
      expect(cors(answer.headers)).toEqual({ 'access-control-allow-origin': WORKBENCH });
      expect(answer.headers.vary).toBe('Origin');
    }
    const form = { origin: WORKBENCH, 'content-type': 'text/plain' };
    const refused = await ask(`${path}/status`, 'POST', form, '{}');
    expect([refused.status, cors(refused.headers)]).toEqual([
      415,
      { 'access-control-allow-origin': WORKBENCH },
    ]);
  });

  it.each([
    'https://evil.example',
    `${WORKBENCH}.evil.example`,
    'http://workbench.example',
    `${WORKBENCH}:444`,
    'null',
  ])('review:H6 %s gets 403 and no such header', async (origin) => {
    for (const method of ['OPTIONS', 'GET']) {
      const { status, headers } = await ask(path, method, { origin });
      expect([status, cors(headers)]).toEqual([403, {}]);
    }
  });

  it('review:H6 a base URL opens its own family alone; other routes stay closed', async () => {
    expect((await preflight('/api/session-start/x', NAMED)).status).toBe(204);
    for (const at of ['/api/session-start/x', '/api/operations/x', '/mcp', '/health', '/api/bundle-deploy']) {
      const { status, headers } = await preflight(at, WORKBENCH);
      expect([at, status, cors(headers)]).toEqual([at, 403, {}]);
    }
  });

  it('review:H6 a request that is no page’s gets no such header', async () => {
    expect(cors((await ask(path, 'GET', {})).headers)).toEqual({});
  });
});

it('review:H6 the handle opens records of that family alone', async () => {
  expect((await world.api(path)).status).toBe(200);
  const { handle: _handle, ...session } = S1();
  const args = { source: 'direct', network: 'n', chainId: 1879, request: session };
  const { data } = await world.tool('alice', 'create_xdala_session_start_handoff', args);
  expect((await world.api(`/api/session-start/${data.handle}`)).status).toBe(404);
});

it('review:H6 a start with HANDOVER_HANDLE_ONLY=0 warns, and origins must be exact', () => {
  const external = { MCP_XDALA_BUNDLE_DEPLOY_BASE_URL: WORKBENCH };
  const warnings = (env: object) =>
    readConfiguration({ ...external, ...env }, { dev: true }).warnings.join('\n');
  expect(warnings({ HANDOVER_HANDLE_ONLY: '0' })).toContain('HANDOVER_HANDLE_ONLY=0');
  expect(warnings({})).not.toContain('HANDOVER_HANDLE_ONLY');
  for (const origins of ['*', 'http://named.example', 'https://*.example', 'https://named.example/path'])
    expect(() => warnings({ HANDOVER_WORKBENCH_ORIGINS: origins })).toThrow('HANDOVER_WORKBENCH_ORIGINS');
});
