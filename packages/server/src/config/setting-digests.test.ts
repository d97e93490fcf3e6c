import { expect, it } from 'vitest';
import { askedDigests, differingSettings, serverDigests } from './setting-digests.js';

const differing = (asked: Record<string, string>, server: Record<string, string>) =>
  differingSettings(askedDigests(asked, 'key'), serverDigests(server, 'key'));

it('assistants:N6 only what differs is told, by name', () => {
  expect(differing({ HANDOVER_HANDOFF_TTL_SECS: '60' }, {})).toEqual(['HANDOVER_HANDOFF_TTL_SECS']);
  expect(differing({ HANDOVER_HANDOFF_TTL_SECS: '60' }, { HANDOVER_HANDOFF_TTL_SECS: '60' })).toEqual([]);
  expect(differing({}, { HANDOVER_HANDOFF_TTL_SECS: '60' })).toEqual([]);
  expect(differing({ MCP_SERVER_NAME: 'handover', MACP_LOG_LEVEL: '' }, {})).toEqual([]);
  expect(differing({ HANDOVER_RPC_URL_1: 'http://a', PATH: '/x' }, {})).toEqual(['HANDOVER_RPC_URL_1']);
});

it('what belongs to one connection is never compared', () => {
  const own = {
    HANDOVER_AGENT_ID: 'a',
    HANDOVER_TOOLSETS: 'admin',
    HANDOVER_DATA_DIR: '/a',
    MACP_DATA_DIR: '/b',
  };
  expect(askedDigests(own, 'key')).toEqual({});
});

it('digests need the key', () => {
  const env = { MCP_SERVER_NAME: 'shop' };
  expect(askedDigests(env, 'one')).not.toEqual(askedDigests(env, 'other'));
  expect(JSON.stringify(askedDigests(env, 'one'))).not.toContain('shop');
});
