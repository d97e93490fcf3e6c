/** A web page of somebody else, open in the browser of somebody who runs the server, can do nothing with it. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../kit/test-server.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const ROUTES = [
  ['POST', '/macp/envelope'],
  ['POST', '/macp/session/start'],
  ['GET', '/macp/session'],
  ['GET', '/macp/session/0b0e3f0e-0000-4000-8000-000000000000'],
  ['POST', '/macp/session/0b0e3f0e-0000-4000-8000-000000000000/cancel'],
  ['GET', '/macp/session/0b0e3f0e-0000-4000-8000-000000000000/events'],
  ['GET', '/.well-known/macp.json'],
  ['GET', '/health'],
  ['GET', '/ready'],
  ['GET', '/metrics'],
] as const;

describe('cross-site requests', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ flags: { dev: true } });
  });
  afterAll(() => server.remove());

  const ask = (method: string, path: string, headers: Record<string, string>, body = '{}') =>
    new Promise<Answer>((resolve, reject) => {
      const { port } = new URL(server.http);
      const withBody = method === 'POST';
      const call = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
      });
      call.on('error', reject);
      call.end(withBody ? body : undefined);
    });
  const JSON_BODY = { 'content-type': 'application/json' };

  it.each(ROUTES)(
    '%s %s: a rebound name and a foreign origin get 403, without CORS headers',
    async (method, path) => {
      for (const headers of [
        { host: 'evil.example' },
        { host: 'evil.example:3100' },
        { host: '127.0.0.1.evil.example' },
        { origin: 'https://evil.example' },
        { origin: 'http://localhost.evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      ]) {
        const answer = await ask(method, path, { ...JSON_BODY, ...headers });
        expect(answer.status, JSON.stringify(headers)).toBe(403);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );

  it.each(ROUTES.filter(([method]) => method === 'POST'))(
    '%s %s: what a form can send is 415',
    async (method, path) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ])
        expect((await ask(method, path, { 'content-type': type })).status).toBe(415);
      expect((await ask(method, path, { ...JSON_BODY, 'content-encoding': 'gzip' })).status).toBe(415);
    },
  );

  it('leaves ordinary callers alone', async () => {
    expect((await ask('GET', '/health', {})).status).toBe(200);
    expect((await ask('GET', '/macp/session', { origin: 'http://localhost:5173' })).status).toBe(200);
    expect((await ask('GET', '/health', {})).headers['x-content-type-options']).toBe('nosniff');
  });
});
