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
  ])('may not be %j, which is the server’s own', (name) => expect(isAgentName(name)).toBe(false));

  it.each(['', 'a\u0000b', 'x'.repeat(257), 7, undefined, null])('may not be %j', (name) =>
    expect(isAgentName(name)).toBe(false),
  );
});
