/**
 * One call with a large bundle ran for more than a minute and ended the process. What is large is now refused before it
 * is parsed, or looked at in a thread of its own; findings are bounded; every tool counts in its caller's rate.
 */
import { randomUUID } from 'node:crypto';
import type { Fields } from '@handover/core';
import { operationDigest } from '@handover/evm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import type { Server } from '../../packages/server/src/server.js';
import { context } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { connectStdioAs, newDataFolder } from '../kit/mcp-clients.js';
import { openServer } from '../kit/server.js';
import { B2, type Loose } from '../operations/support/examples.js';
import { secretIn } from '../operations/support/world.js';
import { metric } from './support/metrics.js';
import { parsesDuring, uncounted } from './support/parses.js';
import { RawMcp } from './support/raw-mcp.js';

const MIB = 1_048_576;
const PAGE = {
  MCP_PUBLIC_HANDOFF_PER_HANDLE_PER_MINUTE: '1000',
  MCP_PUBLIC_HANDOFF_PER_IP_PER_MINUTE: '1000',
};

/** A valid bundle of about so many bytes. */
function largeBundle(bytes: number, rules = 100): Loose {
  const bundle = B2();
  const { items } = bundle.bundles[0];
  const rule = items.find(({ meta }: Loose) => meta.type === 'xrc137');
  for (let n = 0; n < rules; n++) {
    const alias = `LARGE_${n}`;
    const meta = { ...rule.meta, alias };
    const name = 'x'.repeat(Math.round(bytes / rules) - 200);
    items.push({ ...structuredClone(rule), id: alias, meta, address: `cm:xrc137:${alias}`, name });
  }
  return bundle;
}

describe('hardening:H1 large bundles', () => {
  let server: Server;
  let alice: RawMcp;
  const jobs = () => metric(server.httpUrl, 'handover_large_jobs_total');
  beforeAll(async () => {
    server = await openServer({ env: PAGE });
    alice = await new RawMcp(server.httpUrl, 'alice').open();
  });
  afterAll(() => server.close(AbortSignal.timeout(1_000)));

  it('are checked in a thread of their own, with bounded findings', async () => {
    const before = await jobs();
    const items = Array.from({ length: 400 }, (_, n) => ({
      id: `i${n}`,
      wrong: 'x'.repeat(5_000),
      list: [n],
    }));
    const bundle = { format: 'none', createdAt: 'never', bundles: [{ bundleId: 'b', items }] };
    const { value: findings, parses } = await parsesDuring(() =>
      alice.tool('validate_xgr_multibundle', { bundle }),
    );
    expect(findings).toMatchObject({ valid: false });
    expect(findings.errors).toHaveLength(fixedLimits.findings.value);
    // Two errors of the document, one for each item, two counts that are wrong: 404 in all.
    expect(findings.omitted).toBe(404 - fixedLimits.findings.value);
    expect(await jobs()).toBe(before + 1);
    expect(parses.longest).toBeLessThan(64_000);
  });

  it('with too many items are not walked', async () => {
    const items = Array.from({ length: 40_000 }, () => ({}));
    const bundle = {
      format: 'xgr-multi-bundle@1',
      createdAt: '2026-06-07T12:00:00Z',
      bundles: [{ bundleId: 'b', items }],
    };
    const findings = await alice.tool('validate_xgr_multibundle', { bundle });
    expect(findings).toMatchObject({
      valid: false,
      errors: [{ code: 'LIMIT_EXCEEDED', path: 'bundles' }],
      bundles: [],
    });
    expect(findings.errors).toHaveLength(1);
  });

  it('of 10.9 MB, or of too many values, reach neither thread', async () => {
    const before = await jobs();
    const items = Array.from({ length: 1_600_000 }, () => 1);
    for (const bundle of [{ text: 'x'.repeat(10.9 * MIB) }, { items }]) {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'validate_xgr_multibundle', arguments: { bundle } },
      });
      const { value, parses } = await parsesDuring(() => alice.post(body).catch((error: Error) => error));
      // A client that is still sending may see the connection closed instead of the answer.
      if (!(value instanceof Error)) expect(value.status).toBe(413);
      expect(parses.count).toBe(0);
    }
    expect(await jobs()).toBe(before);
  });

  it('are handed over, shown, answered and left out of tool results without being parsed beside other requests', async () => {
    const bundle = largeBundle(3 * MIB);
    const before = await jobs();
    const { parses } = await parsesDuring(async () => {
      const made = await alice.tool('create_xdala_bundle_deploy_handoff', {
        network: 'testnet',
        chainId: 7,
        bundle,
      });
      expect(made.digest).toBe(operationDigest(7, { bundle }, nodeCodec));
      const at = new URL(`/api/bundle-deploy/${made.handle}`, server.httpUrl);
      const authorization = `Handoff ${secretIn(made.xdalaUrl)}`;
      const page = uncounted(await (await fetch(at, { headers: { authorization } })).text());
      expect(page.bundle).toEqual(bundle);
      expect(page.steps).toHaveLength(bundle.bundles[0].items.length);
      const seen = await alice.tool('get_xdala_bundle_deploy_handoff', { handle: made.handle });
      expect(seen).toMatchObject({ handle: made.handle, digest: made.digest, network: 'testnet' });
      expect(seen).not.toHaveProperty('bundle');
      expect(seen.omitted.bytes).toBeGreaterThan(3 * MIB);
      const posted = await fetch(`${at}/result`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(resultOf(made.handle, bundle)),
      });
      expect([posted.status, await posted.text()]).toEqual([200, expect.stringContaining('"ok":true')]);
    });
    expect(parses.longest).toBeLessThan(64_000);
    // Create, page, look, result.
    expect(await jobs()).toBe(before + 4);
  });

  it('are checked the same way over stdio', async () => {
    const folder = newDataFolder();
    const client = await connectStdioAs('alice', folder, 'modern');
    const ask = async (bundle: object) => {
      const result = (await client.callTool({
        name: 'validate_xgr_multibundle',
        arguments: { bundle },
      })) as Loose;
      return uncounted(result.content[0].text);
    };
    expect(await ask(largeBundle(2 * MIB))).toMatchObject({ valid: true, errors: [] });
    await expect(ask({ text: 'x'.repeat(5 * MIB) })).rejects.toThrow('more than 4194304 bytes');
    await expect(ask({ items: Array(250_000).fill(0) })).rejects.toThrow('more than 200000 values');
    expect(await ask({})).toMatchObject({ valid: false });
    await client.close();
  });

  it('are never more than other arguments may be', async () => {
    const { status, rpc } = await alice.ask('tools/call', {
      name: 'create_operation_handoff',
      arguments: { payload: Array(30_000).fill(0) },
    });
    expect([status, rpc.error.message]).toEqual([
      413,
      expect.stringContaining('a bundle of an operation may be larger'),
    ]);
  });
});

function resultOf(handle: string, bundle: Loose): Fields {
  const artifact = structuredClone(bundle);
  for (const item of artifact.bundles[0].items) item.meta.deployedAddress = `0x${'1'.repeat(40)}`;
  return {
    handle,
    type: 'xdala_bundle_deploy_result',
    status: 'completed',
    completedAt: '2026-06-07T12:00:00Z',
    inputType: 'bundle',
    artifact,
    deployResults: [],
  };
}

describe('hardening:H1 the rate of a caller', () => {
  const NEVER_REFUSED = [
    'acceptHandoff',
    'declineHandoff',
    'commitHandoff',
    'cancelHandoff',
    'cancel_operation_handoff',
    'cancel_xdala_bundle_deploy_handoff',
    'cancel_xdala_session_start_handoff',
  ];

  it('counts every request once, and refuses every tool but answers and controls', async () => {
    const limit = 40;
    const server = await openServer({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: String(limit) } });
    const alice = await new RawMcp(server.httpUrl, 'alice').open();
    const { rpc } = await alice.ask('tools/list', {});
    const tools: string[] = rpc.result.tools.map(({ name }: Loose) => name);
    // With the one that opened the session.
    let asked = 2;
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      expect((await alice.ask(method, {})).rpc.result, method).toBeDefined();
      asked += 1;
    }
    for (; asked < limit; asked++) expect((await alice.tool('listHandoffs', {})).success).toBe(true);
    const refused = await Promise.all(
      tools.map(async (name) => [name, (await alice.tool(name, { nonsense: 1 })).errorCode]),
    );
    expect(Object.fromEntries(refused)).toEqual(
      Object.fromEntries(
        tools.map((name) => [name, NEVER_REFUSED.includes(name) ? 'VALIDATION_ERROR' : 'RATE_LIMITED']),
      ),
    );
    for (const [method, params] of [
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'handoff://health' }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'resume' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }],
    ] as const)
      expect((await alice.ask(method, params)).rpc.error?.data?.errorCode, method).toBe('RATE_LIMITED');
    // The rate is one for all doors.
    const grpc = new GrpcClient(`${server.grpc.host}:${server.grpc.port}`, { bearer: 'alice' });
    expect((await grpc.send(context(randomUUID(), 'h1', 'x', 'alice'))).error?.code).toBe('RATE_LIMITED');
    grpc.close();
    const bob = await new RawMcp(server.httpUrl, 'bob').open();
    expect((await bob.tool('listHandoffs', {})).success).toBe(true);
    await server.close(AbortSignal.timeout(1_000));
  });
});
