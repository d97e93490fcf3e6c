import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  acceptWhen,
  buildEnvelope,
  buildHandoffPolicy,
  buildSessionStartPayload,
  declineWhenBusy,
  escalate,
  fromBootstrap,
  HandoffSession,
  type MacpClient,
  MODE_HANDOFF,
  newSessionId,
  Participant,
  type PolicyDescriptor,
  serializeMessage,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { startBareRuntime } from './support/bare-runtime.js';
import { startProxy } from './support/proxy.js';
import { useServer } from './support/server.js';

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 60_000 };

describe('an agent', () => {
  const server = useServer();

  function pair(client: MacpClient, policyVersion?: string) {
    const sessionId = newSessionId();
    const owner = new HandoffSession(client, { sessionId, policyVersion });
    const agent = (participantId: string) =>
      new Participant({ participantId, sessionId, client, policyVersion });
    return { owner, agent };
  }

  it('sees every message once, in order, and ends with the Commitment, not with the answer', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start(START);
    const bob = agent('bob');
    const types: string[] = [];
    const phases: string[] = [];
    const ends: string[] = [];
    bob
      .use(acceptWhen(() => true))
      .on('*', ({ messageType, seq }) => void types.push(`${seq} ${messageType}`))
      .onPhaseChange('*', ({ previous, phase }) => void phases.push(`${previous} ${phase}`))
      .onTerminal(({ state }) => void ends.push(state));
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob', scope: 's' });
    await expect.poll(() => bob.projection.isAccepted('h1')).toBe(true);
    expect(bob.isStopped).toBe(false);
    await owner.sync();
    await owner.commit();
    expect(await running).toMatchObject({ state: 'RESOLVED', commitment: { reason: 'bob accepted s' } });
    expect(types).toEqual(['1 SessionStart', '2 HandoffOffer', '3 HandoffAccept', '4 Commitment']);
    expect(phases).toEqual(['Pending OfferPending', 'OfferPending Accepted', 'Accepted Committed']);
    expect(ends).toEqual(['RESOLVED']);
    expect(bob.isStopped).toBe(true);
  });

  it('sees a re-offer after its own decline', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start(START);
    const [bob, carol] = [
      agent('bob').use(declineWhenBusy(() => true)),
      agent('carol').use(acceptWhen(() => true)),
    ];
    const running = Promise.all([bob.run(), carol.run()]);
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect.poll(async () => (await owner.sync()).isDeclined('h1')).toBe(true);
    await owner.offer({ handoffId: 'h2', targetParticipant: 'carol' });
    await expect.poll(async () => (await owner.sync()).isAccepted('h2')).toBe(true);
    await owner.commit();
    expect((await running).map((result) => result?.state)).toEqual(['RESOLVED', 'RESOLVED']);
    expect(bob.projection.offers.size).toBe(2);
  });

  it('answers once, whichever strategy comes first', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start(START);
    const bob = agent('bob')
      .use(declineWhenBusy(() => true, { reason: 'in a meeting' }))
      .use(acceptWhen(() => true));
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await expect.poll(async () => (await owner.sync()).getHandoff('h1')?.answerReason).toBe('in a meeting');
    await owner.cancel();
    expect(await running).toEqual({ state: 'CANCELLED' });
  });

  it('decides by a predicate on the context', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start(START);
    const bob = agent('bob').use(
      acceptWhen(({ contexts }) => contexts[0]?.contentType === 'text/plain', {
        afterContext: true,
        declineReason: 'cannot read this',
      }),
    );
    const running = bob.run();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await owner.sendContext({ handoffId: 'h1', contentType: 'application/x-unknown' });
    await expect
      .poll(async () => (await owner.sync()).getHandoff('h1')?.answerReason)
      .toBe('cannot read this');
    bob.stop();
    expect(await running).toBeUndefined();
  });

  it('ends when the session expires, which no envelope tells', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start({ ...START, ttlMs: 1_000 });
    const ends: string[] = [];
    const bob = agent('bob').onTerminal(({ state }) => void ends.push(state));
    expect(await bob.run()).toEqual({ state: 'EXPIRED' });
    expect(await agent('carol').run()).toEqual({ state: 'EXPIRED' });
    expect(ends).toEqual(['EXPIRED']);
    expect(bob.projection.transcript).toHaveLength(1);
  });

  it(`${verifies('macp-2026:19:waits')}waits for a session that does not exist yet`, async () => {
    const { owner, agent } = pair(server.as('alice'));
    const running = agent('bob').run();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await owner.start(START);
    await owner.cancel();
    expect(await running).toEqual({ state: 'CANCELLED' });
    const { sessionId } = new HandoffSession(server.as('alice'));
    const client = server.as('bob');
    const impatient = new Participant({ participantId: 'bob', sessionId, client, waitForSessionMs: 0 });
    await expect(impatient.run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('does not lose the errors of its handlers', async () => {
    const { owner, agent } = pair(server.as('alice'));
    await owner.start(START);
    const failing = () => agent('bob').on('SessionStart', () => Promise.reject(new Error('my mistake')));
    await expect(failing().run()).rejects.toThrow('my mistake');
    const errors: unknown[] = [];
    const running = failing()
      .onError((error) => errors.push(error))
      .run();
    await owner.cancel();
    await running;
    expect(errors).toHaveLength(1);
  });

  it('can do everything that Handoff has, and say anything else', async () => {
    const { owner, agent } = pair(server.as('alice'));
    const alice = agent('alice');
    await owner.start(START);
    const { actions } = alice;
    await actions.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await actions.sendContext({ handoffId: 'h1', context: Buffer.from('x') });
    await agent('bob').actions.decline({ handoffId: 'h1' });
    await actions.suspend();
    await actions.resume();
    await actions.progress({ progressToken: 't', progress: 1, total: 1 });
    await actions.signal({ signalType: 's' });
    await expect(actions.send('HandoffTeleport', new Uint8Array())).rejects.toMatchObject({
      code: 'INVALID_ENVELOPE',
    });
    await alice.session.sync();
    await actions.commit();
    expect((await owner.sync()).commitment?.action).toBe('handoff.declined');
    await actions.cancel();
  });

  it('goes on after a lost connection', async () => {
    const proxy = await startProxy(server.address());
    const { owner } = pair(server.as('alice'));
    await owner.start(START);
    const client = server.as('bob', { address: proxy.address });
    const bob = new Participant({ participantId: 'bob', sessionId: owner.sessionId, client });
    const types: string[] = [];
    const running = bob.on('*', ({ messageType }) => void types.push(messageType)).run();
    await expect.poll(() => types.length).toBe(1);
    proxy.cut();
    await owner.offer({ handoffId: 'h1', targetParticipant: 'bob' });
    await owner.cancel();
    proxy.mend();
    expect(await running).toEqual({ state: 'CANCELLED' });
    expect(types).toEqual(['SessionStart', 'HandoffOffer', 'SessionCancel']);
    proxy.close();
  });

  describe('that escalates', () => {
    const policy = buildHandoffPolicy('policy.sdk.escalate', '', {
      acceptance: { implicitDeclineTimeoutMs: 200 },
    });
    const targets = ['bob', 'carol'];
    const owner = (client: MacpClient, sessionId = newSessionId(), bound: PolicyDescriptor = policy) =>
      new Participant({
        participantId: 'alice',
        sessionId,
        client,
        policyVersion: bound.policyId,
        initiator: { sessionStart: START },
      });

    it('needs a policy that ends silence', () => {
      const lax = buildHandoffPolicy('policy.sdk.lax', '');
      expect(() => escalate({ targets, policy: lax })).toThrow(/implicit_decline_timeout_ms/);
      expect(() => escalate({ targets: [], policy })).toThrow(/^targets is empty/);
      const other = owner(server.as('alice'), newSessionId(), lax);
      expect(() => other.use(escalate({ targets, policy }))).toThrow(/policyVersion/);
    });

    it('needs a runtime that knows the rule, and says so in a sentence where it does not', async () => {
      // It advertises nothing.
      const { client, asked, stop } = await startBareRuntime();
      const sessionId = newSessionId();
      const alice = new Participant({
        participantId: 'alice',
        sessionId,
        client,
        policyVersion: policy.policyId,
      }).use(escalate({ targets, policy }));
      const start = { intent: 'x', participants: ['alice', ...targets], ttlMs: 60_000 };
      const began = alice.processEvent(
        buildEnvelope({
          mode: MODE_HANDOFF,
          messageType: 'SessionStart',
          sessionId,
          sender: 'alice',
          payload: serializeMessage('SessionStart', buildSessionStartPayload(start)),
        }),
      );
      await expect(began).rejects.toMatchObject({
        name: 'MacpUnsupportedError',
        message:
          'the runtime does not know the rule extension x-handover.rules: nobody would decline for a silent target',
      });
      // No offer was made.
      expect(asked).toEqual(['initialize']);
      stop();
    });

    it('asks the next when one is silent, commits a decline when all are, and a restart changes nothing', async () => {
      const client = server.as('alice');
      await client.registerPolicy(policy);
      const sessionId = newSessionId();
      const run = () =>
        owner(client, sessionId)
          .use(escalate({ targets, policy, scope: 's' }))
          .run();
      const first = owner(client, sessionId).use(escalate({ targets, policy, scope: 's' }));
      first.onPhaseChange('Declined', () => first.stop());
      await first.run();
      const result = await run();
      expect(result).toMatchObject({ state: 'RESOLVED', commitment: { action: 'handoff.declined' } });
      expect(await run()).toEqual(result);
      const history = new HandoffSession(client, { sessionId });
      const { offers } = await history.sync();
      expect(
        [...offers.values()].map(({ targetParticipant, implicit }) => [targetParticipant, implicit]),
      ).toEqual([
        ['bob', true],
        ['carol', true],
      ]);
    });
  });

  it(`${verifies('macp-2026:19:bootstrap')}is made from a bootstrap file`, async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'bootstrap-')), 'agent.json');
    const session_id = newSessionId();
    const document = {
      session_id,
      participant_id: 'alice',
      mode: MODE_HANDOFF,
      runtime_url: `http://${server.address()}`,
      agent_id: 'alice',
      initiator: {
        session_start: {
          intent: 'x',
          participants: ['bob'],
          ttl_ms: 60_000,
          extensions: { context: { service: 'xyz' } },
        },
        kickoff: { message_type: 'HandoffOffer', payload: { handoff_id: 'h1', target_participant: 'bob' } },
      },
    };
    writeFileSync(path, JSON.stringify(document));
    const agent = fromBootstrap(path).on('HandoffOffer', (_, { actions }) => void actions.cancel('seen'));
    expect(await agent.run()).toEqual({ state: 'CANCELLED' });
    expect(Buffer.from(agent.projection.frozenContext ?? []).toString()).toBe('{"service":"xyz"}');
    expect(agent.projection.activeOffer()?.targetParticipant).toBe('bob');
    agent.session.client.close();

    const written = (change: object) => writeFileSync(path, JSON.stringify({ ...document, ...change }));
    written({ mode: '' });
    expect(() => fromBootstrap(path)).toThrow(/mode/);
    written({ runtime_url: undefined });
    expect(() => fromBootstrap(path)).toThrow(/runtime_address/);
    written({ runtime_url: 'http://example.com:1', secure: false });
    expect(() => fromBootstrap(path)).toThrow(/allowInsecure/);
    written({ initiator: { ...document.initiator, kickoff: { message_type: 'HandoffOffer', payload: 7 } } });
    expect(() => fromBootstrap(path)).toThrow(/kickoff/);
    expect(() => fromBootstrap('')).toThrow(/MACP_BOOTSTRAP_FILE/);
  });
});
