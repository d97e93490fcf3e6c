import {
  Auth,
  buildHandoffPolicy,
  commitmentHash,
  HandoffSession,
  MacpAckError,
  newMessageId,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 60_000 };
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('a handoff session', () => {
  const server = useServer();
  const session = (options = {}) => new HandoffSession(server.as('alice'), options);

  async function offered(options = {}) {
    const made = session(options);
    await made.start(START);
    await made.offer({ handoffId: 'h1', targetParticipant: 'bob', scope: 'pager' });
    return made;
  }

  it('binds what it was started with', async () => {
    const made = session({ configurationVersion: 'config.2' });
    await made.start({
      ...START,
      context: Buffer.from('frozen'),
      contextId: 'c',
      roots: [{ uri: 'u', name: 'n' }],
    });
    expect(await made.metadata()).toMatchObject({
      participants: ['alice', 'bob', 'carol'],
      configurationVersion: 'config.2',
      contextId: 'c',
      extensionKeys: ['context'],
    });
    expect(Buffer.from(made.projection.frozenContext ?? []).toString()).toBe('frozen');
  });

  it('does not add the sender twice', async () => {
    const made = session();
    await made.start({ ...START, participants: ['bob', 'alice'] });
    expect((await made.metadata()).participants).toEqual(['bob', 'alice']);
  });

  it('refuses an unknown target before the network', async () => {
    const made = await offered();
    await expect(made.offer({ handoffId: 'h2', targetParticipant: 'dave' })).rejects.toMatchObject({
      name: 'MacpSessionError',
      argument: 'targetParticipant',
    });
  });

  it('says who refused what, and why', async () => {
    const made = await offered();
    const messageId = newMessageId();
    const error = await failure(made.acceptHandoff({ handoffId: 'h1', sender: 'carol', messageId }));
    expect(error).toBeInstanceOf(MacpAckError);
    expect(error).toMatchObject({ code: 'FORBIDDEN', sessionId: made.sessionId, messageId, reasons: [] });
    expect(made.projection.isAccepted('h1')).toBe(false);
    const unknown = await failure(made.decline({ handoffId: 'h9', sender: 'bob' }));
    expect(unknown).toMatchObject({ code: 'INVALID_ENVELOPE' });
  });

  it('takes the same message id once', async () => {
    const made = await offered();
    const accept = { handoffId: 'h1', sender: 'bob', messageId: newMessageId() };
    expect((await made.acceptHandoff(accept)).duplicate).toBe(false);
    expect((await made.acceptHandoff(accept)).duplicate).toBe(true);
    expect(made.projection.transcript).toHaveLength(3);
  });

  it('accepts context under both names, and marks late context', async () => {
    const made = await offered();
    await made.sendContext({ handoffId: 'h1', contentType: 'text/plain', context: Buffer.from('1') });
    await made.addContext({ handoffId: 'h1', context: Buffer.from('2') });
    await made.acceptHandoff({ handoffId: 'h1', auth: Auth.devAgent('bob') });
    await made.sendContext({ handoffId: 'h1', contentType: 'text/plain', context: Buffer.from('3') });
    const contexts = made.projection.contexts.get('h1') ?? [];
    expect(contexts.map(({ late, contentType }) => [late, contentType])).toEqual([
      [false, 'text/plain'],
      [false, 'application/octet-stream'],
      [true, 'text/plain'],
    ]);
    expect(made.projection.getHandoff('h1')?.status).toBe('accepted');
  });

  it('commits what the history says when nothing is said', async () => {
    const accepted = await offered();
    await accepted.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
    await accepted.commit();
    expect(accepted.projection.commitment).toMatchObject({
      action: 'handoff.accepted',
      authorityScope: 'pager',
      reason: 'bob accepted pager',
      outcomePositive: true,
      policyVersion: 'policy.default',
    });
    const declined = await offered();
    await declined.decline({ handoffId: 'h1', sender: 'bob' });
    await declined.commit();
    expect(declined.projection.commitment).toMatchObject({
      action: 'handoff.declined',
      reason: 'bob declined pager',
      outcomePositive: false,
    });
    expect(declined.projection.isCommitted).toBe(true);
    expect(declined.projection.isPositiveOutcome).toBe(false);
  });

  it('commits the versions that a joined session is bound to', async () => {
    const made = await offered({ configurationVersion: 'config.2' });
    await made.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
    const joined = session({ sessionId: made.sessionId });
    await joined.sync();
    await joined.commit();
    expect(joined.projection.commitment?.configurationVersion).toBe('config.2');
  });

  it('supersedes an earlier Commitment', async () => {
    const first = await offered();
    await first.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
    await first.commit();
    const { commitment } = first.projection;
    if (!commitment) throw new Error('not committed');
    const supersedes = { sessionId: first.sessionId, commitmentHash: commitmentHash(commitment) };
    const second = await offered();
    await second.acceptHandoff({ handoffId: 'h1', sender: 'bob' });
    await second.commit({ supersedes });
    const read = session({ sessionId: second.sessionId });
    await read.sync();
    expect(read.projection.commitment?.supersedes).toEqual(supersedes);
  });

  it('shows why a policy denied, or who it lets commit', async () => {
    const policy = buildHandoffPolicy('policy.sdk.session', '', { commitment: { allowNoTarget: true } });
    await server.as('alice').registerPolicy(policy);
    const made = session({ policyVersion: policy.policyId });
    await made.start(START);
    await made.commit({ outcomePositive: false, reason: 'nobody is left' });
    expect(made.projection.commitment).toMatchObject({
      action: 'handoff.declined',
      authorityScope: 'handoff',
    });
  });

  it('is suspended, resumed, cancelled', async () => {
    const made = await offered();
    expect((await made.suspend('lunch')).sessionState).toBe('SUSPENDED');
    expect((await made.resume()).sessionState).toBe('OPEN');
    expect((await made.cancel('over')).sessionState).toBe('CANCELLED');
    await made.sync();
    expect(made.projection.sessionState).toBe('CANCELLED');
    expect(made.projection.transcript.map(({ messageType }) => messageType)).toEqual([
      'SessionStart',
      'HandoffOffer',
      'SessionSuspend',
      'SessionResume',
      'SessionCancel',
    ]);
  });

  it('puts what two sides said into the runtime’s order', async () => {
    const owner = await offered();
    const target = new HandoffSession(server.as('bob'), { sessionId: owner.sessionId });
    await target.acceptHandoff({ handoffId: 'h1' });
    // The owner has not heard of the answer: to its own eyes this context is in time.
    await owner.sendContext({ handoffId: 'h1', context: Buffer.from('late') });
    expect(owner.projection.contexts.get('h1')?.[0]?.late).toBe(false);
    await owner.sync();
    expect(owner.projection.contexts.get('h1')?.[0]?.late).toBe(true);
    await target.sync();
    expect(target.projection.transcript).toEqual(owner.projection.transcript);
    expect(target.projection.isAccepted('h1')).toBe(true);
  });

  it('survives a lost connection: the message is sent again, and accepted once', async () => {
    const proxy = await startProxy(server.address());
    const made = new HandoffSession(server.as('alice', { address: proxy.address }));
    await made.start(START);
    proxy.cut();
    setTimeout(() => proxy.mend(), 150);
    await made.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await made.sync();
    expect(made.projection.transcript).toHaveLength(2);
    proxy.close();
  });

  it('survives a lost Ack: the second sending is answered as a duplicate', async () => {
    const proxy = await startProxy(server.address());
    const retry = { attemptTimeout: 0.2 };
    const made = new HandoffSession(server.as('alice', { address: proxy.address }), { retry });
    await made.start(START);
    proxy.mute();
    const offering = made.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    const direct = new HandoffSession(server.as('alice'), { sessionId: made.sessionId });
    await expect.poll(async () => (await direct.sync()).activeOffer()?.handoffId).toBe('h1');
    proxy.cut();
    proxy.mend();
    expect((await offering).duplicate).toBe(true);
    expect((await direct.sync()).transcript).toHaveLength(2);
    proxy.close();
  });
});
