/** Every RPC of the service through the client, against a real server. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { methods } from '@handover/wire';
import {
  Auth,
  buildHandoffPolicy,
  HandoffSession,
  MacpAckError,
  type MacpClient,
  MacpTransportError,
  MODE_HANDOFF,
  type ModeDescriptor,
  newSessionId,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { useServer } from './support/server.js';

const MODE: ModeDescriptor = {
  mode: 'ext.sdk-test.v1',
  modeVersion: '1.0.0',
  title: 'Test',
  description: 'a mode for a test',
  determinismClass: 'semantic-deterministic',
  participantModel: 'declared',
  messageTypes: ['SessionStart', 'Say', 'Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: { proto: 'x.proto' },
};

async function started(client: MacpClient, participants = ['bob']) {
  const session = new HandoffSession(client);
  await session.start({ intent: 'x', participants, ttlMs: 60_000 });
  return session;
}
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('the client', () => {
  const server = useServer();

  it('has a method for every RPC', () => {
    const names: Partial<Record<string, keyof MacpClient>> = { streamSession: 'openStream' };
    const client = server.as('alice');
    for (const key of Object.keys(methods))
      expect(typeof client[names[key] ?? (key as keyof MacpClient)], key).toBe('function');
  });

  it('initializes', async () => {
    const result = await server.as('alice').initialize(5_000);
    expect(result.selectedProtocolVersion).toBe('1.0');
    expect(result.supportedModes).toContain(MODE_HANDOFF);
    expect(result.capabilities.sessions).toEqual({ stream: true, listSessions: true, watchSessions: true });
    expect(result.runtimeInfo.name).not.toBe('');
  });

  it('shows sessions: numbers for milliseconds, words for states', async () => {
    const alice = server.as('alice-list');
    const sessions = [await started(alice), await started(alice), await started(alice)];
    const { metadata } = await alice.getSession(sessions[0]?.sessionId ?? '');
    expect(metadata).toMatchObject({
      state: 'OPEN',
      initiator: 'alice-list',
      participants: ['alice-list', 'bob'],
    });
    expect(metadata.expiresAtUnixMs - metadata.startedAtUnixMs).toBeGreaterThan(50_000);
    const listed = await alice.listSessions({ pageSize: 2 });
    expect(listed.map(({ sessionId }) => sessionId).sort()).toEqual(sessions.map((s) => s.sessionId).sort());
    const page = await alice.listSessionsPage({ pageSize: 2 });
    expect(page.sessions).toHaveLength(2);
    expect(page.nextPageToken).not.toBe('');
  });

  it('controls sessions', async () => {
    const alice = server.as('alice');
    const { sessionId } = await started(alice);
    expect((await alice.suspendSession(sessionId, 'lunch')).sessionState).toBe('SUSPENDED');
    expect((await alice.resumeSession(sessionId)).sessionState).toBe('OPEN');
    expect((await alice.cancelSession(sessionId, 'over')).sessionState).toBe('CANCELLED');
    expect((await alice.cancelSession(sessionId)).ok).toBe(true);
    const refused = await failure(alice.suspendSession(sessionId));
    expect(refused).toBeInstanceOf(MacpAckError);
    expect(refused).toMatchObject({ code: 'SESSION_NOT_OPEN', sessionId });
    expect((await alice.suspendSession(sessionId, '', { raiseOnNack: false })).ok).toBe(false);
  });

  it('tells the status of a failed call', async () => {
    const alice = server.as('alice');
    expect(await failure(alice.getSession(newSessionId()))).toMatchObject({
      name: 'MacpUnknownSessionError',
      code: 'NOT_FOUND',
    });
    const { sessionId } = await started(alice);
    const outsider = await failure(alice.getSession(sessionId, { auth: Auth.devAgent('mallory') }));
    expect(outsider).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await failure(alice.getManifest('nobody'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gives up at a deadline and at a signal', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const nowhere = server.as('alice', { address: `127.0.0.1:${port}` });
    expect(await failure(nowhere.initialize(50))).toMatchObject({
      name: 'MacpTimeoutError',
      code: 'DEADLINE_EXCEEDED',
    });
    const aborted = await failure(nowhere.listModes({ signal: AbortSignal.timeout(50) }));
    expect(aborted).toBeInstanceOf(MacpTransportError);
    expect(aborted).toMatchObject({ code: 'CANCELLED' });
    expect(await failure(nowhere.listModes({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'CANCELLED',
    });
    nowhere.close();
    silent.close();
  });

  it('reads discovery', async () => {
    const nobody = server.as('x', { auth: undefined });
    expect((await nobody.getManifest()).manifest.supportedModes).toContain(MODE_HANDOFF);
    expect((await nobody.listModes()).modes.map(({ mode }) => mode)).toContain(MODE_HANDOFF);
    expect(await nobody.listRoots()).toEqual({ roots: [] });
  });

  it('keeps the registry of modes', async () => {
    const alice = server.as('alice');
    await expect(alice.registerExtMode({ ...MODE, terminalMessageTypes: [] })).rejects.toThrow(
      /terminalMessageTypes/,
    );
    expect(await alice.registerExtMode(MODE)).toEqual({ ok: true, error: '' });
    expect((await alice.listExtModes()).modes).toContainEqual(MODE);
    expect((await alice.registerExtMode(MODE)).ok).toBe(false);
    expect(await alice.promoteMode(MODE.mode)).toMatchObject({ ok: true, mode: MODE.mode });
    expect((await alice.unregisterExtMode('ext.nothing.v1')).error).not.toBe('');
  });

  it('keeps the registry of policies', async () => {
    const alice = server.as('alice');
    const policy = buildHandoffPolicy('policy.sdk.client', 'about');
    expect(await alice.registerPolicy(policy)).toEqual({ ok: true, error: '' });
    const read = await alice.getPolicy(policy.policyId);
    expect({ ...read, rules: JSON.parse(read.rules) }).toMatchObject({
      ...policy,
      rules: JSON.parse(policy.rules),
    });
    expect(read.registeredAtUnixMs).toBeGreaterThan(0);
    const ids = (await alice.listPolicies(MODE_HANDOFF)).map(({ policyId }) => policyId);
    expect(ids).toEqual(['policy.default', policy.policyId]);
    expect((await alice.registerPolicy(policy)).error).toContain('already registered');
    expect((await alice.unregisterPolicy(policy.policyId)).ok).toBe(true);
    expect(await failure(alice.getPolicy(policy.policyId))).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('with real tokens', () => {
  const tokens = [{ token: 'secret-a', sender: 'alice' }];
  const server = useServer({
    args: [],
    env: { MACP_AUTH_TOKENS_JSON: JSON.stringify(tokens), MACP_ALLOW_INSECURE: '1' },
  });

  it('a wrong one is UNAUTHENTICATED, at once', async () => {
    const client = server.as('x', { auth: Auth.bearer('wrong') });
    const start = performance.now();
    const error = await failure(started(client));
    expect(error).toMatchObject({ name: 'MacpAckError', code: 'UNAUTHENTICATED' });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('another sender is refused before the network, and its owner is heard', async () => {
    const client = server.as('x', { auth: Auth.bearer('secret-a', { expectedSender: 'alice' }) });
    const session = await started(client);
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    const error = await failure(session.acceptHandoff({ handoffId: 'h1', sender: 'bob' }));
    expect(error).toMatchObject({ name: 'MacpIdentityMismatchError', actualSender: 'bob' });
  });
});
