import { FaultCode, HandoverError } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../../version.js';
import { createHarness } from '../http-harness.test.helper.js';
import { post, startMessage } from '../json-messages.test.helper.js';

const CREDENTIALS = {
  MACP_AUTH_TOKENS_JSON: JSON.stringify([
    { token: 'plain', sender: 'alice' },
    { token: 'admin', sender: 'root', scopes: ['handoff:admin'] },
  ]),
};

describe('GET /health', () => {
  it('says that the process is there and what it will never do', async () => {
    const answer = await createHarness().request('/health');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ok: true,
      name: 'handover',
      version: VERSION,
      devMode: true,
      serverSigningScope: 'none',
      userOrThirdPartyPrivateKeysAccepted: false,
    });
  });

  it('is open, and answers HEAD', async () => {
    const harness = createHarness({ env: CREDENTIALS });
    expect(await (await harness.request('/health')).json()).toMatchObject({ ok: true, devMode: false });
    const head = await harness.request('/health', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('GET /ready', () => {
  it('says so, and in which mode', async () => {
    const answer = await createHarness().request('/ready');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ready: true, name: 'handover', devMode: true, reasons: [] });
  });

  it('is 503 while draining', async () => {
    const harness = createHarness();
    await harness.door.close(0);
    const answer = await harness.request('/ready');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toMatchObject({ ready: false, reasons: ['the server is shutting down'] });
  });

  it('is 503 when the store does not answer, without its words', async () => {
    const store = { ...createMemoryStore(), position: () => Promise.reject(new Error('EIO /data/secret')) };
    const answer = await createHarness({ store }).request('/ready');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ reasons: ['the store does not answer'] });
  });

  it('is 503 when the engine has stopped', async () => {
    const fault = new HandoverError(FaultCode.UNKNOWN_OUTCOME, 'gone');
    const harness = createHarness({ store: { ...createMemoryStore(), commit: () => Promise.reject(fault) } });
    await harness.request('/macp/envelope', { as: 'alice', body: startMessage() });
    expect(await (await harness.request('/ready')).json()).toMatchObject({
      reasons: ['the engine has stopped'],
    });
  });
});

describe('GET /metrics', () => {
  it('is open on this machine', async () => {
    const harness = createHarness({ env: CREDENTIALS });
    await post(harness, 'plain', startMessage());
    const answer = await harness.request('/metrics', { peer: '127.0.0.1' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toContain('handover_subscribers 0');
  });

  it('needs the scope to administer from elsewhere', async () => {
    const harness = createHarness({ env: CREDENTIALS });
    const ask = async (asked: object) => (await harness.request('/metrics', asked)).status;
    expect(await ask({ peer: '203.0.113.1' })).toBe(401);
    expect(await ask({})).toBe(401);
    expect(await ask({ peer: '203.0.113.1', as: 'plain' })).toBe(403);
    expect(await ask({ peer: '203.0.113.1', as: 'admin' })).toBe(200);
    expect(await ask({ peer: '203.0.113.1', headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(401);
  });

  it('is not opened by a proxy on this machine', async () => {
    const tokens = '[{"token":"a-token-of-24-bytes-or-more","sender":"a"}]';
    const env = { MACP_AUTH_TOKENS_JSON: tokens, HANDOVER_TRUSTED_PROXY: '127.0.0.1' };
    for (const harness of [createHarness({ env }), createHarness({ env: CREDENTIALS })]) {
      const headers = { 'x-forwarded-for': '203.0.113.1' };
      expect((await harness.request('/metrics', { peer: '127.0.0.1', headers })).status).toBe(401);
    }
  });
});

describe('GET /.well-known/macp.json', () => {
  it('is the manifest, for anybody', async () => {
    const answer = await createHarness({ env: CREDENTIALS }).request('/.well-known/macp.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/macp-manifest+json');
    expect(await answer.json()).toEqual({
      agent_id: 'handover',
      title: expect.any(String),
      description: expect.stringMatching(/./),
      supported_modes: [
        'ext.multi_round.v1',
        'macp.mode.decision.v1',
        'macp.mode.handoff.v1',
        'macp.mode.proposal.v1',
        'macp.mode.quorum.v1',
        'macp.mode.task.v1',
      ],
      input_content_types: ['application/macp-envelope+proto', 'application/macp-envelope+json'],
      output_content_types: ['application/macp-envelope+proto', 'application/macp-envelope+json'],
      metadata: {},
      transport_endpoints: [],
    });
  });
});
