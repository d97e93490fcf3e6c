/** What a closed client leaves behind: nothing that waits. */
import { HandoffSession, newSessionId, Participant, SessionLifecycleWatcher } from 'macp-sdk-typescript';
import { expect, it } from 'vitest';
import { useServer } from './support/server.js';

const server = useServer();

it('ends every iteration, quietly, and refuses what comes after', async () => {
  const client = server.as('alice');
  const session = new HandoffSession(client);
  await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
  const seen: string[] = [];
  const drain = async (name: string, values: AsyncIterable<unknown>) => {
    for await (const _ of values) seen.push(name);
    return name;
  };
  const stream = session.openStream();
  stream.sendSubscribe(session.sessionId);
  const open = [
    drain('follow', session.follow()),
    drain('stream', stream.responses()),
    drain('watcher', new SessionLifecycleWatcher(client).changes()),
    drain('watch', client.watchSessions()),
    new Participant({ participantId: 'bob', sessionId: session.sessionId, client }).run(),
  ];
  await expect.poll(() => new Set(seen).size).toBe(4);
  client.close();
  expect(await Promise.all(open)).toEqual(['follow', 'stream', 'watcher', 'watch', undefined]);
  await expect(client.listModes()).rejects.toThrow('closed');
  await expect(client.getSession(newSessionId())).rejects.toThrow('closed');
  expect(() => client.openStream()).toThrow('closed');
});
