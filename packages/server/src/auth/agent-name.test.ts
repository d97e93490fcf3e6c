import { describe, expect, it } from 'vitest';
import { isAgentName } from './agent-name.js';

describe('the name of an agent', () => {
  it.each([
    'alice',
    'operator-2',
    'an operator',
    'person',
    'persona:x',
    'a_b',
    'spiffe://org/agent',
    'Ünïcode',
  ])('may be %s', (name) => expect(isAgentName(name)).toBe(true));

  it.each([
    'operator',
    'Operator',
    ' operator ',
    'opera\u200btor',
    'person:alice',
    'PERSON:alice',
    'person:',
    '_runtime',
    '_browser',
    '_',
    ' _runtime',
    '\u2060_runtime',
    '\uff3fruntime',
    '*',
    ' * ',
    '\uff0a',
  ])('may not be %j, which is the server’s own', (name) => expect(isAgentName(name)).toBe(false));

  it.each([
    ...[
      '\u3164',
      'cod\u3164ex',
      '\u115f',
      '\u1160',
      'a\uffa0',
      '\u2800',
      'ali\u200bce',
      'ali\u2060ce',
      '\ufeffalice',
    ],
    ...['alice\u00ad', 'a\u034fb', 'a\ufe0f', 'a\u{e0061}', 'a\u{1d159}', 'a\u{16fe4}', ' ', '\u3000'],
  ])('may not be %j, in which something cannot be seen', (name) => expect(isAgentName(name)).toBe(false));

  it.each([
    'claude ',
    ' claude',
    'cla  ude',
    'cla\u00a0ude',
    'cla\u3000ude',
    'claude\u2003',
    'a\u202fb',
    'a\u205fb',
  ])('may not be %j, which differs from another in blanks only', (name) =>
    expect(isAgentName(name)).toBe(false),
  );

  it('may have several words', () => expect(isAgentName('Claude Code 2')).toBe(true));

  it.each(['', 'a\u0000b', 'x'.repeat(257), 7, undefined, null])('may not be %j', (name) =>
    expect(isAgentName(name)).toBe(false),
  );
});
