/**
 * A handoff that is settled by silence. The service offers under the default policy, by which silence says nothing, so
 * this story binds the session itself.
 */
import { HANDOFF_MODE, handoffPayloads, StreamKind } from '@handover/core';
import type { Story } from './story.js';
import { aboutWork } from './work.js';
import { admin, alice, done, nodeCodec } from './world.js';

const START = {
  intent: '',
  participants: ['alice', 'bob'],
  modeVersion: '1.0.0',
  policyVersion: 'policy.silence',
  configurationVersion: 'config.default',
  ttlMs: 3_600_000,
  roots: [],
  contextId: '',
  extensions: {},
  maxSuspendMs: 0,
};

export function silentAnswer(rule: 'implicit_accept_timeout_ms' | 'implicit_decline_timeout_ms'): Story {
  return aboutWork(async ({ world, ref, sessions, write, wait }) => {
    await write(alice, 'the work so far');
    const flaw = await world.registries.registerPolicy(admin, {
      policyId: 'policy.silence',
      mode: HANDOFF_MODE,
      description: '',
      schemaVersion: 1,
      rules: { acceptance: { [rule]: 5_000 } },
    });
    if (flaw) throw new Error(flaw.message);
    const sessionId = `history-of-${rule}`;
    const session = { tenant: 'default', kind: StreamKind.Session, id: sessionId } as const;
    const envelope = (messageType: string, payload: Uint8Array) => ({
      macpVersion: '1.0',
      mode: HANDOFF_MODE,
      messageType,
      messageId: messageType,
      sessionId,
      payload,
      sender: 'alice',
      timestampUnixMs: world.clock.now,
    });
    const start = envelope('SessionStart', nodeCodec.encode('SessionStart', START));
    const offer = envelope(
      'HandoffOffer',
      nodeCodec.encode(handoffPayloads.HandoffOffer, {
        handoffId: 'h1',
        targetParticipant: 'bob',
        scope: 'all',
        reason: '',
      }),
    );
    const wanted = { handoffId: 'h1', requestType: 'full_handoff', upTo: 1 };
    const binding = { worklog: ref.id, requestType: 'full_handoff', upTo: 1, autoCommit: true };
    const request = {
      kind: 'requestHandoff',
      sessionId,
      target: 'bob',
      ...wanted,
      payload: new Uint8Array(0),
    } as const;
    const answer = await world.engine.submit({
      agent: 'alice',
      consult: [{ tenant: 'default', kind: StreamKind.Policies, id: 'policies' }],
      steps: [
        { stream: ref, command: request },
        { stream: session, command: { kind: 'envelope', envelope: start, binding } },
        { stream: session, command: { kind: 'envelope', envelope: offer } },
      ],
      bytes: 1_024,
    });
    if (!answer.ok) throw new Error(answer.rejection.message);
    sessions.push(sessionId);
    await wait(60_000);
    await done(world.handoffs.getSession(alice, ref.id));
  });
}
