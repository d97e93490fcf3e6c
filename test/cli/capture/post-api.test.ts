/** What an answer of a server elsewhere means for whoever asked it. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiAnswer, postApi } from '../../../packages/server/src/cli/remote/post-api.js';
import { selfSigned } from '../../kit/self-signed.js';
import { json, ScriptedServer } from '../../stdio/remote-support.js';

const error = (message: string, more: object = {}) => ({ error: { code: 'X', message, ...more } });

let server: ScriptedServer;
beforeEach(async () => {
  server = new ScriptedServer(() => undefined);
  await server.open();
});
afterEach(() => server.close());

const post = (timeoutMs = 5_000): Promise<ApiAnswer> =>
  postApi({ server: server.url, agent: 'ann' }, 'hook', { event: 'Stop' }, timeoutMs);

it.each([
  [200, { text: 'hello' }, 'done', undefined, undefined],
  [200, [], 'later', 'answered 200, and not as this server does', 1],
  [201, { text: 'hello' }, 'later', 'answered 201, and not as this server does', 1],
  [200, { text: 'x'.repeat(1_048_576) }, 'later', 'answered 200, and not as this server does', 1],
  [302, {}, 'later', 'a redirect, which is not followed', 1],
  [307, {}, 'later', 'a redirect, which is not followed', 1],
  [400, error('event must be one word'), 'refused', 'event must be one word', 1],
  [400, 'somebody else', 'later', 'answered 400, and not as this server does', 1],
  [401, error('who are you'), 'later', 'so it is not in dev mode; give --token @FILE', 4],
  [403, 'somebody else', 'later', 'refuses this', 4],
  [403, error('not that', { details: { requiredScope: 'handoff:offer' } }), 'later', 'not that', 4],
  [404, error('nothing'), 'later', 'or the server is older than this command', 1],
  [409, error('it is closed'), 'refused', 'it is closed', 1],
  [410, error('it is gone'), 'refused', 'it is gone', 1],
  [413, error('too large'), 'refused', 'too large', 1],
  [415, error('no such type'), 'refused', 'no such type', 1],
  [429, error('too often'), 'later', 'too often', 1],
  [500, error('our fault'), 'later', 'our fault', 1],
  [502, error('full'), 'later', 'does not answer', 5],
  [503, error('full'), 'later', 'does not answer', 5],
  [504, 'somebody else', 'later', 'does not answer', 5],
] as const)('of status %i with %.60j: %s', async (status, body, kind, words, exit) => {
  server.answer = (_heard, response) => json(response, status, body, { location: `${server.url}/elsewhere` });
  const answer = await post();
  expect(answer.kind).toBe(kind);
  if (answer.kind !== 'done')
    expect([answer.why.message, answer.why.exit]).toEqual([expect.stringContaining(words ?? ''), exit]);
  const scope = words === 'not that' ? { requiredScope: 'handoff:offer' } : {};
  expect(answer).toEqual({
    kind,
    ...(answer.kind === 'done' ? { value: body } : { why: answer.why, ...scope }),
  });
  expect(server.heard.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/api/v1/hook', 'Bearer ann'],
  ]);
  expect(JSON.parse(server.posted[0] ?? '')).toEqual({ event: 'Stop', agent: 'ann' });
});

it('of a server that says nothing in time, that it does not answer', { timeout: 10_000 }, async () => {
  const silence = { kind: 'later', why: { exit: 5, what: `${server.url} does not answer` } };
  // Whoever waited for longer than it was told would wait until the test is over: this server never answers.
  expect(await post(50)).toMatchObject(silence);
  await server.close();
  expect(await post()).toMatchObject(silence);
  await server.open();
});

it('of a certificate that nobody vouches for, that; it sees no token', async () => {
  let asked = 0;
  const { cert, key } = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
  const tls = createServer({ cert, key }, () => {
    asked += 1;
  });
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  const place = { server: `https://localhost:${(tls.address() as AddressInfo).port}`, agent: 'ann' };
  const answer = await postApi(place, 'hook', {}, 5_000);
  expect(answer).toMatchObject({
    kind: 'later',
    why: { exit: 1, what: expect.stringContaining('is not trusted') },
  });
  expect(asked).toBe(0);
  await new Promise((resolve) => tls.close(resolve));
});
