import { FaultCode, HandoverError } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { createAuthenticator, createDevAuthenticator } from '../auth/authenticator.js';
import { createLog, type LogLevel } from './log.js';
import { createAudit } from './security-log.js';

const messageOf = (result: unknown) => (result as { readonly message: string }).message;

function setUp(level: LogLevel = 'debug') {
  const lines: string[] = [];
  const log = createLog({ level, stream: { write: (line: string) => void lines.push(line) } });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}');
  return { log, lines, last };
}

describe('the log', () => {
  it('writes one JSON object a line: level, time, event, fields', () => {
    const { log, lines, last } = setUp();
    log.info('store.opened', { position: 7 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(last()).toEqual({ level: 'info', time: expect.any(String), position: 7, event: 'store.opened' });
  });

  it('keeps to its level', () => {
    const { log, lines } = setUp('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines).toHaveLength(2);
    const silent = setUp('silent');
    silent.log.error('e');
    expect(silent.lines).toHaveLength(0);
  });

  it.each([
    'authorization',
    'Authorization',
    'x-macp-token',
    'macpToken',
    'access_token',
    'clientSecret',
    'payload',
    'payload_b64',
    'requestBody',
    'envelope',
    'context',
    'cookie',
    'set-cookie',
    'password',
    'private_key',
    'privateKeyPem',
    'mnemonic',
    'credentials',
    'api_key',
    'jwk',
  ])('never shows what is under %s, at any depth', (name) => {
    const { log, lines } = setUp();
    log.error('e', { [name]: 'CANARY', inner: { list: [{ [name]: { deep: 'CANARY' } }] } });
    expect(lines.join()).not.toContain('CANARY');
  });

  it.each([
    'Bearer CANARY',
    'failed with authorization: bearer CANARY-1',
    'Handoff CANARY-0123456789abcdef',
    'Basic CANARYCANARYCANARY==',
    'eyJhbGciOiJSUzI1NiJ9.CANARY.CANARY',
    'GET /op/1?k=CANARY',
    'https://page.test/op#k=CANARY',
    'https://user:CANARY@host.test/',
    '-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----',
  ])('never shows a secret inside a text: %s', (text) => {
    const { log, lines } = setUp();
    log.error(text, { reason: text, error: new Error(text, { cause: new Error(text) }), list: [text] });
    expect(lines.join()).not.toContain('CANARY');
  });

  it('leaves ordinary sentences alone', () => {
    const { log, last } = setUp();
    const ours = createAuthenticator({}).authenticate({ authorization: 'Basic x' });
    const dev = createDevAuthenticator({ defaultAgent: 'dev' }).authenticate({});
    for (const reason of ['Handoff accepted by bob', messageOf(ours), messageOf(dev)]) {
      log.info('e', { reason });
      expect(last()).toMatchObject({ reason });
    }
  });

  it('shows bytes by their number, errors with their cause, and stays bounded', () => {
    const { log, last, lines } = setUp();
    const error = new HandoverError(FaultCode.INTERNAL, 'broken', { cause: new Error('disk') });
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    log.error('e', { data: Buffer.from('CANARY'), error, loop, long: 'x'.repeat(1e6), big: 5n });
    expect(last()).toMatchObject({
      data: '[6 bytes]',
      error: { name: 'HandoverError', message: 'INTERNAL: broken', cause: { message: 'disk' } },
      big: '5',
      loop: { self: { self: { self: '[…]' } } },
    });
    expect(lines[0]?.length).toBeLessThan(20_000);
  });
});

describe('audit lines', () => {
  it('name the event and the actor, and can be filtered by one field', () => {
    const { log, lines } = setUp();
    const audit = createAudit(log);
    const actor = { tenant: 'default', agent: 'alice' };
    audit.authenticationFailed({ door: 'grpc', reason: 'the token is not known', peer: '127.0.0.1' });
    audit.authorizationFailed({ actor, action: 'Send', code: 'FORBIDDEN', sessionId: 's' });
    audit.duplicate({ actor, sessionId: 's', messageId: 'm' });
    audit.terminal({ tenant: 'default', sessionId: 's', state: 'RESOLVED' });
    audit.cancelled({ actor, sessionId: 's' });
    audit.quotaHit({ actor, quota: 'message', retryAfterMs: 5 });
    const parsed = lines.map((line): Record<string, unknown> => JSON.parse(line));
    expect(parsed.map(({ event, level, audit: marked }) => [event, level, marked])).toEqual([
      ['audit.authentication_failed', 'warn', true],
      ['audit.authorization_failed', 'warn', true],
      ['audit.duplicate', 'info', true],
      ['audit.terminal', 'info', true],
      ['audit.cancelled', 'info', true],
      ['audit.quota_hit', 'warn', true],
    ]);
    expect(parsed[1]).toMatchObject({ actor, code: 'FORBIDDEN', sessionId: 's' });
  });
});
