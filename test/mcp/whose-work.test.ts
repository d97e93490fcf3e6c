/** Said in the answers themselves: whose the work is, how long a session lives, what to do about an offer nobody answers. */
import { expect, it } from 'vitest';
import { call, connectHttp } from '../kit/mcp-clients.js';
import { useMcpServer } from './support/mcp-server.js';

const DAY = 86_400_000;
const clock = { now: 1_700_000_000_000 };
const server = await useMcpServer({ now: () => clock.now });
const ann = await connectHttp(server.url, 'ann');
const bob = await connectHttp(server.url, 'bob');

const register = (sessionKey: string) => call(ann, 'registerSession', { sessionKey, agentFrom: 'ann' });
const write = (sessionKey: string) =>
  call(ann, 'updateContext', { sessionKey, contextType: 'message', content: 'x' });

it('a context_transfer says in every phase whose the work is', async () => {
  await register('copied');
  const request = { sessionKey: 'copied', targetAgent: 'bob', requestType: 'context_transfer' };
  const { handoffId } = await call(ann, 'requestHandoff', { ...request, autoCommit: false });
  const said = async () => (await call(bob, 'getHandoff', { handoffId })).handoff.instruction;
  expect(await said()).toContain('the work stays with ann');
  await call(bob, 'acceptHandoff', { handoffId });
  expect(await said()).toContain('the work stays with ann');
  await call(ann, 'commitHandoff', { handoffId });
  expect(await said()).toContain('the work stays with ann');
});

it('a second offer beside one that nobody answers: cancel it, or wait until its time is over', async () => {
  await register('stuck');
  const request = { sessionKey: 'stuck', targetAgent: 'nobody', requestType: 'full_handoff' };
  const { handoffId } = await call(ann, 'requestHandoff', request);
  const refused = await call(ann, 'requestHandoff', { ...request, targetAgent: 'bob' });
  expect(refused).toMatchObject({ errorCode: 'CONFLICT', details: { handoffId } });
  expect(refused.error).toContain('cancelHandoff');
  expect(refused.error).toContain('when its time is over');
  clock.now += 2 * DAY;
  expect((await call(ann, 'getHandoff', { handoffId })).handoff.phase).toBe('expired');
  expect(await call(ann, 'requestHandoff', { ...request, targetAgent: 'bob' })).toMatchObject({
    success: true,
  });
});

it('a session lives by the setting that is in force when it is written to', async () => {
  await register('kept');
  const updates = { 'retention.sessionExpirationDays': 3, 'retention.dormantSessionThresholdDays': 1 };
  const changed = await call(ann, 'updateConfiguration', { updates });
  expect(changed).toMatchObject({ success: true });
  clock.now += 4 * DAY;
  expect(await write('kept')).toMatchObject({ success: true });
  clock.now += 4 * DAY;
  expect(await write('kept')).toMatchObject({ errorCode: 'SESSION_EXPIRED', currentStatus: 'expired' });
});
