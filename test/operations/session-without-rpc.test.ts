/** Session starts on a server that has no RPC, or one that does not answer. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ChainReader } from '../../packages/server/src/chain/port.js';
import { ChainSilent } from '../../packages/server/src/chain/port.js';
import { startChainNode } from '../kit/chain-node.js';
import { S1 } from './support/examples.js';
import { openWorld, secretIn, useWorld, type Wire } from './support/world.js';

const world = await useWorld();
const CREATE = 'create_xdala_session_start_handoff';

function direct(over: object = {}) {
  const { handle: _handle, ...request } = S1();
  return { source: 'direct', network: 'testnet', request, ...over };
}

/** The arguments that the guide shows. */
function guideExample(): Wire {
  const guide = readFileSync(new URL('../../docs/guide/operations.md', import.meta.url), 'utf8');
  const [, json] = /<!-- example: session start -->\n\n```json\n(.*?)\n```/s.exec(guide) ?? [];
  return JSON.parse(json ?? '');
}

describe('review:H4 without an RPC', () => {
  it('review:H4 direct with its chain is made, and says that nothing was read', async () => {
    const { data, isError } = await world.tool('alice', CREATE, direct({ chainId: 1879 }));
    expect(isError).toBeFalsy();
    expect(data).toMatchObject({ chainId: 1879, watched: false, status: 'pending_import' });
    expect(data.authority).toMatchObject({ authorityStatus: 'authority_unavailable', canStart: false });
    expect(data.validation.warnings.map(({ code }: Wire) => code)).toEqual(['CHAIN_NOT_READ']);
    const shown = await world.api(`/api/session-start/${data.handle}`, { secret: secretIn(data.xdalaUrl) });
    expect(shown.json).toMatchObject({ request: { chain: { requiredChainIdDec: '1879' } }, watched: false });
  });

  it('review:H4 direct without its chain is told what is missing, and nothing is stored', async () => {
    const before = await world.store.position();
    const { data } = await world.tool('alice', CREATE, direct());
    expect(data).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      error: 'chainId is needed when no RPC is configured (XGR_RPC_URL, HANDOVER_RPC_URL_<chainId>)',
    });
    expect(await world.store.position()).toBe(before);
  });

  it('review:H4 runtime cannot be made, may be tried again, and names the settings', async () => {
    const runtime = {
      source: 'runtime',
      network: 'testnet',
      orchestration: `0x${'1'.repeat(40)}`,
      ostcId: 'x',
    };
    const { data } = await world.tool('alice', CREATE, { ...runtime, chainId: 1879 });
    expect(data).toMatchObject({
      errorCode: 'HANDOFF_FAILED',
      statusCode: 502,
      details: { retryable: true },
    });
    expect(data.error).toContain('XGR_RPC_URL, HANDOVER_RPC_URL_1879');
    expect((await world.tool('alice', CREATE, runtime)).data.error).toContain('HANDOVER_RPC_URL_<chainId>');
  });

  it('review:H4 the example of the guide is valid before it is made, and is made', async () => {
    const { request, chainId } = guideExample();
    const { data } = await world.tool('alice', CREATE, guideExample());
    const check = async (args: object) =>
      (await world.tool('alice', 'validate_xgr_session_start_handoff', args)).data;
    // What create says, validate has said.
    expect(await check({ request, chainId })).toEqual({
      valid: true,
      errors: [],
      warnings: data.validation.warnings,
    });
    expect(await check({ request })).toMatchObject({
      valid: true,
      warnings: [{ code: 'CHAIN_NOT_READ', message: expect.stringContaining('chainId') }],
    });
    expect(data.xdalaUrl).toContain('/session-start/ss_');
  });
});

it.each(['HANDOVER_RPC_URL_31337', 'XGR_RPC_URL'])(
  'review:H4 the example of the guide is made where %s serves another chain',
  async (setting) => {
    const node = await startChainNode(31_337);
    const other = await openWorld({ env: { [setting]: node.url.href } });
    const { data } = await other.tool('alice', CREATE, guideExample());
    expect(data).toMatchObject({ chainId: 1879, watched: false, status: 'pending_import' });
    expect(data.validation.warnings.map(({ code }: Wire) => code)).toEqual(['CHAIN_NOT_READ']);
    // Every other source is read, and is told what is wrong.
    const { source: _source, request: _request, ...rest } = guideExample();
    const runtime = { ...rest, source: 'runtime', orchestration: `0x${'1'.repeat(40)}`, ostcId: 'x' };
    expect((await other.tool('alice', CREATE, runtime)).data.errorCode).toBe('VALIDATION_ERROR');
    await other.close();
    await node.stop();
  },
);

it('review:H4 an RPC of another chain that fails is no reason to refuse a whole request', async () => {
  const other = await openWorld({ env: { HANDOVER_RPC_URL_31337: 'http://127.0.0.1:9/' } });
  const { data } = await other.tool('alice', CREATE, guideExample());
  expect(data).toMatchObject({ chainId: 1879, watched: false });
  await other.close();
});

it('review:H4 an RPC that fails is HANDOFF_FAILED for every source, without its URL', async () => {
  const url = 'http://127.0.0.1:9/v1/some-api-key';
  const failing = await openWorld({ env: { XGR_RPC_URL: url } });
  for (const source of ['direct', 'runtime', 'bundle_deploy_result']) {
    const { data } = await failing.tool('alice', CREATE, direct({ source, chainId: 1879 }));
    expect(data).toMatchObject({
      errorCode: 'HANDOFF_FAILED',
      statusCode: 502,
      details: { retryable: true },
    });
    expect(data.error).toContain('XGR_RPC_URL, HANDOVER_RPC_URL_1879');
    expect(JSON.stringify(data)).not.toContain('some-api-key');
  }
  await failing.close();
}, 30_000);

it('review:H4 an RPC that will be asked again says when', async () => {
  const silent: ChainReader = {
    reads: () => true,
    chain: () => Promise.reject(new ChainSilent('the RPC is left alone', 4_000)),
    defaultChain: () => Promise.reject(new ChainSilent('the RPC is left alone', 4_000)),
    traces: () => Promise.resolve(undefined),
  };
  const waiting = await openWorld({ chains: silent });
  const { data } = await waiting.tool('alice', CREATE, direct({ chainId: 1879 }));
  expect(data.details).toMatchObject({ retryable: true, retryAfterMs: 4_000 });
  await waiting.close();
});
