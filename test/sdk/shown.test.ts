/** What a client and its options show: no token; and what they do not know is named. */
import { inspect } from 'node:util';
import {
  Auth,
  type AuthConfig,
  HandoffSession,
  HandoffWorker,
  MacpClient,
  MacpSessionError,
} from 'macp-sdk-typescript';
import { afterAll, describe, expect, it } from 'vitest';

const TOKEN = 'CANARY-token-1234567890';
const made = Auth.bearer(TOKEN, { expectedSender: 'alice' });
const byHand: AuthConfig = { bearerToken: TOKEN, senderHint: 'alice' };
const clients = [made, byHand].map((auth) => new MacpClient({ address: '127.0.0.1:1', auth }));
afterAll(() => {
  for (const client of clients) client.close();
});

describe('a token', () => {
  it('is not shown by a credential, a client or a session', () => {
    const sessions = clients.map((client) => new HandoffSession(client, { auth: byHand }));
    for (const one of [made, ...clients, ...sessions]) {
      const text = inspect(one, { depth: 8 }) + JSON.stringify(one);
      expect(text).not.toContain('CANARY');
      expect(text).toContain('alice');
    }
  });

  it('is still in the credential, and in a copy of it', () => {
    expect(made.bearerToken).toBe(TOKEN);
    expect({ ...made }).toEqual({ bearerToken: TOKEN, expectedSender: 'alice' });
    expect(clients[1]?.auth?.bearerToken).toBe(TOKEN);
  });
});

describe('a misspelt option', () => {
  const [client] = clients;
  if (!client) throw new Error('there is a client');
  const session = new HandoffSession(client);
  const start = { intent: 'x', participants: ['bob'], ttlMs: 1_000 };
  it.each<[string, () => unknown]>([
    ['token', () => new MacpClient({ address: '127.0.0.1:1', token: 'x' } as never)],
    ['polcyVersion', () => new HandoffSession(client, { polcyVersion: 'x' } as never)],
    ['policyVersion', () => session.start({ ...start, policyVersion: 'x' } as never)],
    ['timeout', () => session.handOver('bob', 'x', { timeout: 5 } as never)],
    ['timeout', () => session.waitForAnswer('h1', { timeout: 5 } as never)],
    ['concurency', () => new HandoffWorker({ client, decide: () => true, concurency: 2 } as never)],
  ])('is refused: %s', async (argument, call) => {
    const refused = await Promise.resolve()
      .then(call)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MacpSessionError);
    expect(refused).toMatchObject({ argument, message: expect.stringContaining('is not known in') });
  });

  it('says nothing where its value is undefined', () => {
    expect(() => new HandoffSession(client, { polcyVersion: undefined } as never)).not.toThrow();
  });
});
