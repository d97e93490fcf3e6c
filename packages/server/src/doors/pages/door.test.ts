import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { securityHeaders } from '../http/guards.js';
import type { HttpApp, HttpEnv } from '../http/http-types.js';
import { chainInfo, type PublicChains } from './chain-info.js';
import { mountPages } from './door.js';
import type { PageFiles } from './page-files.js';

const CHAINS: PublicChains = {
  publicRpcs: new Map([[1879, 'https://rpc.example/path?x=1']]),
  creationCode: new Map([[1887, { xrc137: '0xaa', xrc729: '0xbb' }]]),
};
const FILES: PageFiles = {
  shell: '<!doctype html><title>shell</title>',
  assets: new Map([['index-abc.js', { type: 'text/javascript; charset=utf-8', body: new Uint8Array([1]) }]]),
  creationCode: { xrc137: '0x01', xrc729: '0x02' },
};
const app = (files: PageFiles | undefined = FILES): HttpApp => {
  const made: HttpApp = new Hono<HttpEnv>();
  made.use(securityHeaders(false));
  mountPages(made, { chains: CHAINS, files });
  return made;
};
const OPERATION = `/operations/op_${'0'.repeat(32)}`;
const SESSION = `/session-start/ss_${'0'.repeat(48)}`;

describe('pages', () => {
  it('serves one shell for every well-formed id, and nothing for others', async () => {
    for (const path of [
      OPERATION,
      `/operations/op_${'f'.repeat(32)}`,
      `/bundle-deploy/bd_${'0'.repeat(48)}`,
      SESSION,
    ])
      expect(await (await app().request(path)).text()).toBe(FILES.shell);
    for (const path of [
      '/operations/x',
      '/operations/bd_1',
      '/bundle-deploy/op_1',
      '/session-start/ss_short',
      '/pages/assets/..%2fserver.js',
    ])
      expect((await app().request(path)).status).toBe(404);
  });

  it('carries the headers of docs/spec/reliability.md 4.2', async () => {
    const { headers } = await app().request(OPERATION);
    const csp = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self';",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(csp).toContain(part);
    expect(csp).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  });

  it('lets the session-start page alone call the public nodes, by origin', async () => {
    expect((await app().request(SESSION)).headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://rpc.example;",
    );
    expect((await app().request(OPERATION)).headers.get('content-security-policy')).not.toContain(
      'rpc.example',
    );
  });

  it('serves assets for good, and refuses other methods', async () => {
    const asset = await app().request('/pages/assets/index-abc.js');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    const post = await app().request(OPERATION, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('what is said about chains', () => {
  it.each([
    [true, ['transaction', 'trace', 'safe_event', 'effects']],
    [false, ['transaction', 'safe_event', 'effects']],
    [undefined, undefined],
  ])('review:V7 names the proofs of a chain whose RPC traces: %s', async (traces, proofs) => {
    const door = new Hono<HttpEnv>();
    mountPages(door, { chains: CHAINS, files: FILES, traces: async () => traces });
    const said = (await (await door.request('/pages/chains/1879.json')).json()) as { proofs?: unknown };
    expect(said.proofs).toEqual(proofs);
  });

  it('names networks, their public node and whose contracts are used', async () => {
    expect(await (await app().request('/pages/chains/1879.json')).json()).toMatchObject({
      name: 'XGR Testnet',
      currency: { symbol: 'XGR' },
      rpcUrl: 'https://rpc.example/path?x=1',
    });
    for (const id of ['0', '9007199254740992', '9999999999999999'])
      expect((await app().request(`/pages/chains/${id}.json`)).status).toBe(404);
    expect(chainInfo(1879, CHAINS, FILES.creationCode).creationCode).toBeUndefined();
    expect(chainInfo(1887, CHAINS, FILES.creationCode).creationCode).toEqual({
      xrc137: '0xaa',
      xrc729: '0xbb',
    });
    expect(chainInfo(31_337, CHAINS, FILES.creationCode).creationCode).toEqual(FILES.creationCode);
  });
});
