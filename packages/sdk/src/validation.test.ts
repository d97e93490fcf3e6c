import { describe, expect, it } from 'vitest';
import { Auth } from './auth.js';
import { MacpClient } from './client/client.js';
import { MacpSessionError } from './errors.js';
import { HandoffSession } from './handoff/session.js';
import { validateConfidence, validateParticipants, validateSessionId, validateTtlMs } from './validation.js';

// Nothing listens on port 1: whatever is refused here was refused before the network.
const client = new MacpClient({ address: '127.0.0.1:1', auth: Auth.devAgent('alice') });
const session = (options = {}) => new HandoffSession(client, { retry: false, ...options });
const start = { intent: 'x', participants: ['bob'], ttlMs: 60_000 };

async function refused(argument: string, call: () => unknown): Promise<void> {
  const error = await Promise.resolve()
    .then(call)
    .then(() => undefined)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MacpSessionError);
  expect(error).toMatchObject({ argument });
  expect(String(error)).toContain(argument);
}

describe('before the network', () => {
  it.each([
    ['intent', { intent: ' ' }],
    ['participants', { participants: [] }],
    ['participants[1]', { participants: ['bob', ' '] }],
    ['participants[1]', { participants: ['bob', 'bob '] }],
    ['participants', { participants: ['alice'] }],
    ['participants', { participants: Array.from({ length: 1_001 }, (_, i) => `p${i}`) }],
    ['ttlMs', { ttlMs: 0 }],
    ['ttlMs', { ttlMs: 86_400_001 }],
    ['ttlMs', { ttlMs: 1.5 }],
    ['maxSuspendMs', { maxSuspendMs: -1 }],
    ['context', { context: new Uint8Array(1), extensions: { context: new Uint8Array(1) } }],
    ['context', { context: 'text' as unknown as Uint8Array }],
    ['extensions.x', { extensions: { x: 'text' as unknown as Uint8Array } }],
    ['messageId', { messageId: '' }],
  ])('start names %s', (argument, change) =>
    refused(argument, () => session().start({ ...start, ...change })),
  );

  it('versions and ids of the session', async () => {
    await refused('modeVersion', () => session({ modeVersion: '2.0.0' }));
    await refused('configurationVersion', () => session({ configurationVersion: ' ' }));
    await refused('sessionId', () => session({ sessionId: 'short' }));
    await refused('sessionId', () => session({ sessionId: 'F47AC10B-58CC-4372-A567-0E02B2C3D479' }));
  });

  it('offer, context and answers name what is missing', async () => {
    await refused('handoffId', () => session().offer({ handoffId: '', targetParticipant: 'bob' }));
    await refused('targetParticipant', () => session().offer({ handoffId: 'h', targetParticipant: ' ' }));
    await refused('handoffId', () => session().sendContext({ handoffId: ' ' }));
    const context = 'text' as unknown as Uint8Array;
    await refused('context', () => session().sendContext({ handoffId: 'h', context }));
    await refused('sender', () => session().decline({ handoffId: 'h', sender: ' ' }));
    await refused('handoffId', () => session().acceptHandoff({ handoffId: '' }));
    await refused('handoffId', () => session().decline({ handoffId: 'a\nb' }));
  });

  it('commit names what is missing, and what cannot follow from the history', async () => {
    await refused('action', () => session().commit());
    await refused('authorityScope', () =>
      session().commit({ action: 'a', authorityScope: ' ', reason: 'r' }),
    );
    await refused('reason', () => session().commit({ action: 'a', authorityScope: 's', reason: '' }));
    await refused('commitmentId', () => session().commit({ action: 'a', reason: 'r', commitmentId: '' }));
    const supersedes = { sessionId: 's', commitmentHash: 'sha256:xyz' };
    await refused('supersedes.commitmentHash', () =>
      session().commit({ action: 'a', reason: 'r', supersedes }),
    );
  });

  it('clients name what is missing', async () => {
    await refused('sessionId', () => client.getSession(''));
    await refused('sessionId', () => client.cancelSession(' '));
    await refused('policyId', () => client.getPolicy(''));
    await refused('signalType', () => client.sendSignal({ signalType: ' ' }));
    await refused('confidence', () => client.sendSignal({ signalType: 's', confidence: 1.1 }));
    await refused('progressToken', () => client.sendProgress({ progressToken: '', progress: 0, total: 1 }));
  });

  it('accepts what is right', () => {
    validateSessionId('01JCABCDEFGHJKMNPQRSTVWXYZ');
    validateTtlMs(86_400_000);
    validateParticipants(['a', 'b']);
    validateConfidence(0);
  });
});
