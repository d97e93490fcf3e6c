/** Statuses of refused calls over a real socket: each carries the code of the registry (macp-2026:2). */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeSendRequest, type MethodKey, methods } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, start } from '../kit/envelopes.js';
import { GrpcClient } from '../kit/grpc-client.js';
import { refusedBy } from '../kit/refused.js';
import { TestServer } from '../kit/test-server.js';
import { tokensEnv } from '../kit/tokens.js';
import { verifies } from './verifies.js';

const MALFORMED = Buffer.from('0affffffff0f', 'hex');
const UNKNOWN = randomUUID();
const OPEN: readonly MethodKey[] = [
  'initialize',
  'getManifest',
  'listModes',
  'listRoots',
  'listExtModes',
  'getReceiptKeys',
];
const keys = Object.keys(methods) as MethodKey[];
const unary = keys.filter((key) => !methods[key].responseStream);
const watches = keys.filter((key) => methods[key].responseStream && !methods[key].requestStream);
const withEnvelopes: readonly MethodKey[] = ['send'];
const MANAGED: readonly MethodKey[] = [
  'registerPolicy',
  'unregisterPolicy',
  'registerExtMode',
  'unregisterExtMode',
  'promoteMode',
];

const signal = (sender: string) => ({
  ...envelope('', sender, 'Signal', {
    signalType: 'ping',
    data: new Uint8Array(0),
    confidence: 0,
    correlationSessionId: '',
  }),
  mode: '',
});

describe('a refused call', () => {
  let server: TestServer;
  let client: GrpcClient;
  beforeAll(async () => {
    server = await TestServer.start({
      env: {
        ...tokensEnv({ 'alice-token': { sender: 'alice' }, 'bob-token': { sender: 'bob' } }),
        MACP_ALLOW_INSECURE: '1',
      },
    });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });
  const refused = (call: Promise<unknown>) =>
    call.then(() => 'answered', refusedBy) as Promise<{ status: string; code?: string }>;
  const codeOf = async (ended: Promise<{ metadata: { get(key: string): unknown[] } }>) =>
    (await ended).metadata.get('macp-error-code');

  it.each(unary)(`${verifies('macp-2026:2:code-trailer')}says why in %s: malformed bytes`, async (key) => {
    expect(await refused(client.raw(key, MALFORMED, 'alice-token'))).toMatchObject({
      code: withEnvelopes.includes(key) ? 'INVALID_ENVELOPE' : 'INVALID_REQUEST',
    });
  });

  it.each(unary.filter((key) => key !== 'send' && !OPEN.includes(key)))(
    `${verifies('macp-2026:1:authenticated')}says why in %s: no credential`,
    async (key) => {
      expect(await refused(client.raw(key, new Uint8Array(0), null))).toMatchObject({
        status: 'UNAUTHENTICATED',
        code: 'UNAUTHENTICATED',
      });
    },
  );

  it.each(OPEN)(`${verifies('macp-2026:1:open')}is not %s without a credential`, async (key) => {
    const fields = key === 'initialize' ? { supportedProtocolVersions: ['1.0'] } : {};
    expect(await refused(client.call(key, fields, null))).toBe('answered');
  });

  it.each(MANAGED)(
    `${verifies('macp-2026:1:may-manage')}says why in %s: without the right to manage`,
    async (key) => {
      expect(await refused(client.raw(key, new Uint8Array(0), 'alice-token'))).toMatchObject({
        status: 'PERMISSION_DENIED',
        code: 'FORBIDDEN',
      });
    },
  );

  it.each(watches)(
    `${verifies('macp-2026:1:watches')}says why in %s: no credential, malformed bytes`,
    async (key) => {
      expect(await codeOf(client.watch(key, null).status)).toEqual(['UNAUTHENTICATED']);
      expect(await codeOf(client.watch(key, 'alice-token', MALFORMED).status)).toEqual(['INVALID_REQUEST']);
    },
  );

  it('says why on a stream: no credential, malformed, both, another session, unknown, too large', async () => {
    expect(await codeOf(client.stream(null).status)).toEqual(['UNAUTHENTICATED']);
    const malformed = client.stream('alice-token');
    malformed.call.write(MALFORMED);
    expect(await codeOf(malformed.status)).toEqual(['INVALID_ENVELOPE']);
    const unknown = client.stream('alice-token').subscribe(UNKNOWN);
    expect(await unknown.statusName()).toBe('NOT_FOUND');
    expect(await codeOf(unknown.status)).toEqual(['SESSION_NOT_FOUND']);
    const large = { ...start(randomUUID()), payload: new Uint8Array(1_048_576 + 65_536 + 1) };
    expect(await codeOf(client.stream('alice-token').send(large).status)).toEqual(['PAYLOAD_TOO_LARGE']);
    expect(await refused(client.raw('send', encodeSendRequest(large), 'alice-token'))).toMatchObject({
      status: 'RESOURCE_EXHAUSTED',
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  it.each([
    ['getSession', { sessionId: UNKNOWN }, 'NOT_FOUND', 'SESSION_NOT_FOUND'],
    ['cancelSession', { sessionId: UNKNOWN }, 'NOT_FOUND', 'SESSION_NOT_FOUND'],
    ['registerPolicy', {}, 'PERMISSION_DENIED', 'FORBIDDEN'],
    ['unregisterExtMode', { mode: 'x' }, 'PERMISSION_DENIED', 'FORBIDDEN'],
  ] as const)(`${verifies('macp-2026:2:statuses')}%s %j is %s, %s`, async (key, fields, status, code) => {
    expect(await client.ask(key, fields, 'alice-token')).toMatchObject({ status, code });
  });

  it.each([
    ['listSessions', { pageSize: -1 }],
    ['listSessions', { pageToken: 'not one of ours' }],
    ['initialize', {}],
  ] as const)(`${verifies('macp-2026:2:invalid-request')}%s %j is INVALID_REQUEST`, async (key, fields) => {
    expect(await client.ask(key, fields, 'alice-token')).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'INVALID_REQUEST',
    });
  });

  it(`${verifies('macp-2026:2:agent-not-found')}knows one agent`, async () => {
    expect(await client.ask('getManifest', { agentId: 'somebody' })).toMatchObject({
      status: 'NOT_FOUND',
      code: 'AGENT_NOT_FOUND',
    });
  });

  it(`${verifies('macp-2026:2:unknown-policy')}has no such policy`, async () => {
    expect(await client.ask('getPolicy', { policyId: 'policy.none' }, 'alice-token')).toMatchObject({
      status: 'NOT_FOUND',
      code: 'UNKNOWN_POLICY_VERSION',
    });
  });

  it('does not speak another version', async () => {
    expect(await client.ask('initialize', { supportedProtocolVersions: ['2.0'] })).toMatchObject({
      status: 'INVALID_ARGUMENT',
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
    });
  });

  it(`${verifies('macp-2026:3.6:sender-authenticated')}says of a signal that its sender was authenticated`, async () => {
    const watch = client.watch('watchSignals', 'bob-token');
    await watch.opened;
    await client.send(signal('alice'), 'alice-token');
    expect(await watch.next()).toMatchObject({ senderAuthenticated: true });
    watch.cancel();
  });
});

describe('in dev mode', () => {
  let server: TestServer;
  let client: GrpcClient;
  const policies = join(tmpdir(), `handover-policies-${randomUUID()}`);
  beforeAll(async () => {
    mkdirSync(policies);
    const policy = { policy_id: 'policy.file', mode: '*', description: '', rules: {}, schema_version: 1 };
    writeFileSync(join(policies, 'one.json'), JSON.stringify(policy));
    server = await TestServer.start({ flags: { dev: true }, env: { MACP_POLICIES_DIR: policies } });
    client = new GrpcClient(server.grpc);
  });
  afterAll(async () => {
    client.close();
    await server.remove();
  });

  it.each(['registerPolicy', 'unregisterPolicy'] as const)(
    `${verifies('macp-2026:2:registry-read-only')}%s of policies that come from files is REGISTRY_READ_ONLY`,
    async (key) => {
      expect(await client.ask(key, {}, 'alice')).toMatchObject({
        status: 'FAILED_PRECONDITION',
        code: 'REGISTRY_READ_ONLY',
      });
    },
  );

  it('a mode without a descriptor is INVALID_REQUEST', async () => {
    expect(await client.ask('registerExtMode', {}, 'alice')).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('a signal does not say that its sender was authenticated', async () => {
    const watch = client.watch('watchSignals', 'bob');
    await watch.opened;
    await client.send(signal('alice'), 'alice');
    expect(await watch.next()).toMatchObject({ senderAuthenticated: false });
    watch.cancel();
  });
});
