import { describe, expect, it } from 'vitest';
import { agentIdOf, readOpening } from './client-name.js';

describe('the name of a client as an agent id', () => {
  it.each([
    ['Claude Code', 'claude-code'],
    ['  Codex (CLI) v1.2 ', 'codex-cli-v1.2'],
    ['café_bot', 'cafe_bot'],
    ['../../etc', 'etc'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['日本', undefined],
    ['', undefined],
  ])('%s', (name, id) => expect(agentIdOf(name)).toBe(id));
});

describe('the first message', () => {
  const info = { name: 'Some Client', version: '1' };
  it.each([
    [
      'initialize',
      { id: 1, method: 'initialize', params: { clientInfo: info } },
      { id: 1, name: 'some-client' },
    ],
    [
      'the newest revision',
      {
        id: 'a',
        method: 'server/discover',
        params: { _meta: { 'io.modelcontextprotocol/clientInfo': info } },
      },
      { id: 'a', name: 'some-client' },
    ],
    ['a request without a name', { id: 2, method: 'ping' }, { id: 2 }],
    ['a notification', { method: 'x', params: { clientInfo: info } }, { name: 'some-client' }],
    ['an odd name', { id: 3, params: { clientInfo: { name: 7 } } }, { id: 3 }],
    ['no object', [1], {}],
  ])('%s', (_what, message, opening) => expect(readOpening(JSON.stringify(message))).toEqual(opening));

  it('that is no JSON says nothing', () => expect(readOpening('{')).toEqual({}));
});
