import { expect, it } from 'vitest';
import { helloLine, readHello, readWelcome, welcomeLine } from './hello.js';

const FULL = {
  wanted: 'mcp' as const,
  token: 't',
  agent: 'claude',
  instance: '0a1b2c3d',
  toolsets: ['handoff', 'admin'] as const,
  project: { id: 'git:0123456789abcdef', name: 'shop', root: '/work/shop' },
  client: { name: 'claude', session: 'abc' },
  head: 'a'.repeat(40),
  settings: { MCP_SERVER_NAME: 'ff' },
  version: '1',
};
const lineOf = (over: object) =>
  JSON.stringify({ handover: 1, wanted: 'mcp', token: 't', version: '1', ...over });

it('what is said arrives', () => {
  expect(readHello(helloLine(FULL))).toEqual(FULL);
  const welcome = { ok: true, version: '1', settings: { A: 'b' } } as const;
  expect(readWelcome(welcomeLine(welcome))).toEqual({ ...welcome, answer: undefined });
});

it('unknown fields are passed over, both ways', () => {
  expect(readHello(lineOf({ later: { a: 1 } }))).toEqual({ wanted: 'mcp', token: 't', version: '1' });
  expect(readWelcome('{"ok":true,"version":"1","later":1}')).toEqual({
    ok: true,
    version: '1',
    answer: undefined,
  });
});

it.each([
  { instance: 'no', project: { id: 'x' }, client: 'x', head: 'main', settings: 1 },
  { project: { id: 'a\nb', name: 'x' }, client: { name: 7 }, settings: { A: 1 } },
  { project: { id: 'x'.repeat(201), name: 'x' } },
])('what is only good to know and cannot be read is left out: %j', (over) => {
  const hello = readHello(lineOf(over));
  expect(hello).toMatchObject({ wanted: 'mcp' });
  expect(Object.keys(hello).filter((name) => name in over && name !== 'settings')).toEqual([]);
});

it('sets that this server does not know are refused, with those that it knows', () => {
  for (const toolsets of [['handoff', 'more'], 'handoff', [1]])
    expect(readHello(lineOf({ toolsets }))).toContain('handoff, lifecycle, admin, operations, xdala');
});
