/** What an HTTP request may be made of: the methods, the routes (`ID` stands for an id) and the headers. */
import { ENVELOPE_JSON } from '../../../packages/server/src/doors/http/translate.js';
import { ENVELOPE_CONTENT_TYPE } from '../../../packages/server/src/services/macp/discovery.js';

export const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'];
export const PATHS = [
  ...Array.from({ length: 8 }, () => '/macp/envelope'),
  '/macp/session/start',
  '/macp/session',
  '/macp/session/ID',
  '/macp/session/ID/events',
  '/macp/session/ID/cancel',
  '/macp/session/ID/suspend',
  '/macp/session/ID/resume',
  '/.well-known/macp.json',
  '/.well-known/oauth-protected-resource',
  '/health',
  '/ready',
  '/metrics',
  '/mcp',
  '/operations/ID',
  '/pages/assets/ID',
  '/pages/chains/1.json',
  '/pages/chains/ID',
  '/',
];
export const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'Content-Type',
    [
      'application/json',
      ENVELOPE_JSON,
      ENVELOPE_CONTENT_TYPE,
      ENVELOPE_CONTENT_TYPE,
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
    ],
  ],
  ['Last-Event-ID', ['0', '1', '999999999999999', '-1', '1.5', 'abc', '']],
  ['Accept', ['text/event-stream', '*/*', 'application/json']],
  ['Origin', ['http://localhost:1', 'https://evil.example', 'null', '']],
  ['Host', ['localhost', '127.0.0.1', 'evil.example', '', 'a b', '[::1']],
  ['Content-Encoding', ['gzip', 'identity', 'br']],
  ['X-Forwarded-For', ['1.2.3.4', '127.0.0.1', ',,,']],
  ['X-Macp-Token', ['x', 'alice']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin']],
  ['Expect', ['100-continue', '200-ok']],
  ['Content-Length', ['0', '5', '-1', '1e3', '99999999999']],
  ['Upgrade', ['h2c', 'websocket']],
  ['Range', ['bytes=0-1']],
];
