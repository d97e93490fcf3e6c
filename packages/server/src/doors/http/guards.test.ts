import { describe, expect, it } from 'vitest';
import { createHarness } from './http-harness.test.helper.js';
import { startMessage } from './json-messages.test.helper.js';

const harness = createHarness({ mount: (app) => app.get('/mounted', (c) => c.text('here')) });
const ask = harness.request;

const PATHS = [
  '/health',
  '/ready',
  '/metrics',
  '/.well-known/macp.json',
  '/macp/session',
  '/macp/session/x',
  '/macp/session/x/events',
  '/nowhere',
  '/mounted',
];

describe('the guards of every route', () => {
  it.each(PATHS)('refuse a foreign Host on %s', async (path) => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '']) {
      const answer = await ask(path, { headers: { host } });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'FORBIDDEN', session_id: '', message_id: '' });
    }
  });

  it.each(PATHS)('refuse a foreign Origin on %s', async (path) => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])
      expect((await ask(path, { headers: { origin } })).status).toBe(403);
  });

  it('refuse them on POST, before anything is read', async () => {
    const body = startMessage();
    expect((await ask('/macp/envelope', { body, headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await ask('/macp/envelope', { body, headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
  });

  it('let pages of loopback and programs pass', async () => {
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:1', 'LOCALHOST'])
      expect((await ask('/health', { headers: { host } })).status).toBe(200);
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1'])
      expect((await ask('/health', { headers: { origin } })).status).toBe(200);
  });

  it('let other sites link, and nothing else', async () => {
    const from = (mode: string) =>
      ask('/health', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode } });
    expect((await from('no-cors')).status).toBe(403);
    expect((await from('cors')).status).toBe(403);
    expect((await from('navigate')).status).toBe(200);
    expect((await ask('/health', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])('refuse a body of %s', async (type) => {
    for (const path of ['/macp/envelope', '/macp/session/start', '/macp/session/x/cancel']) {
      const answer = await ask(path, { body: '{}', headers: { 'content-type': type } });
      expect(answer.status).toBe(415);
      expect(await answer.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    }
  });

  it('refuse a compressed body', async () => {
    const answer = await ask('/macp/envelope', { body: '{}', headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(415);
  });

  it.each([...PATHS, '/macp/envelope'])('give %s the same headers, and none of CORS', async (path) => {
    const answer = await ask(path, { headers: { origin: 'http://localhost:3000' } });
    const { headers } = answer;
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('strict-transport-security')).toBeNull();
    for (const [name] of headers) expect(name).not.toMatch(/^access-control/);
    await answer.body?.cancel();
  });

  it('answer no preflight', async () => {
    const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    const answer = await ask('/macp/envelope', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['/macp/envelope', 'GET', 'POST'],
    ['/macp/session', 'POST', 'GET, HEAD'],
    ['/macp/session/x', 'DELETE', 'GET, HEAD'],
    ['/macp/session/x/cancel', 'GET', 'POST'],
    ['/macp/session/x/events', 'POST', 'GET, HEAD'],
    ['/health', 'POST', 'GET, HEAD'],
    ['/metrics', 'PUT', 'GET, HEAD'],
  ])('say which methods %s knows instead of %s', async (path, method, allowed) => {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
    const answer = await ask(path, { method, ...body });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
    expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  it.each([
    '/',
    '/macp',
    '/macp/session/',
    '/macp/session/x/y',
    '/macp/session/x/delete',
    '/health/',
    '/%00',
  ])('say that there is nothing at %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('stand before what is mounted, too', async () => {
    expect(await (await ask('/mounted')).text()).toBe('here');
  });

  it('say nothing of what went wrong inside', async () => {
    const broken = createHarness({
      mount: (app) =>
        app.get('/broken', () => {
          throw new Error('SQLITE_IOERR at /var/lib/secret');
        }),
    });
    const answer = await broken.request('/broken');
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL_ERROR', message: 'an internal error occurred' });
    expect(text).not.toMatch(/SQLITE|secret|\.ts/);
  });
});
