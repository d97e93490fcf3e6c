import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { putToml, takeToml, tomlBlock, tomlString } from './toml-block.js';

const PLACE = { table: ['mcp_servers', 'handover'] } as const;
const block = (agent = 'codex') =>
  tomlBlock(['[mcp_servers.handover]', `command = ${tomlString('/n "o"\\de\u007f')}`, `args = ["${agent}"]`]);

function put(text: string | undefined, mark?: Parameters<typeof putToml>[3], agent?: string) {
  const done = putToml(text, PLACE, block(agent), mark);
  if (done.kind === 'refused') throw new Error(done.why);
  return done;
}

const why = (text: string) => {
  const done = putToml(text, PLACE, block());
  return done.kind === 'refused' ? done.why : done.kind;
};

const FILES = [
  '',
  'model = "o"',
  'model = "o"\n',
  '# only this\n\n\n',
  'a = 1\r\n[b]\r\nc = 2\r\n',
  '[mcp_servers.other]\ncommand = "x"\nbig = 9007199254740993\nwhen = 2026-01-01\n',
  '[mcp_servers]\nother = { command = "x" }\n',
  '[[list]]\na = 1\n',
  'text = """\n[mcp_servers.handover]\n"""\n',
];

describe('our block in a TOML file', () => {
  it.each(FILES)('assistants:I2 is added to %j and taken again', (before) => {
    const done = put(before);
    expect(parse(done.text, { integersAsBigInt: true })).toMatchObject({
      mcp_servers: { handover: { command: '/n "o"\\de\u007f', args: ['codex'] } },
    });
    expect(put(done.text, done.mark)).toMatchObject({ kind: 'same', text: done.text });
    expect(takeToml(done.text, PLACE, done.mark)).toEqual({ kind: 'removed', text: before });
  });

  it.each([
    '[mcp_servers.handover]\ncommand = "x"\n',
    '[mcp_servers."handover"]\ncommand = "x"\n',
    "[ 'mcp_servers' . \"handover\" ]\ncommand = 'x'\n",
    'mcp_servers.handover.command = "x"\n',
    'mcp_servers."hand\\u006fver" = { command = "x" }\n',
    'mcp_servers = { handover = { command = "x" } }\n',
    '[mcp_servers]\nhandover = { command = "x" }\n',
    '[mcp_servers.handover.env]\nA = "b"\n',
    '[[mcp_servers.handover]]\nA = "b"\n',
  ])('assistants:I3 sees an entry of others: %j', (text) => {
    expect(why(text)).toBe('has an entry mcp_servers.handover that this command did not write');
  });

  it.each([
    ['a = \n', /no valid TOML: line 1/],
    ['mcp_servers = { other = {} }\n', /in a form to which nothing can be added/],
    ['mcp_servers = 1\n', /in a form to which nothing can be added/],
    [`a = ${'['.repeat(50_000)}`, /no valid TOML/],
    [`${block('else')}\n`, /did not write/],
    ['# >>> handover\n', /without its beginning or its end/],
    ['# <<< handover\n# >>> handover\n', /without its beginning or its end/],
    [`${block()}\n${block()}\n`, /without its beginning or its end/],
  ])('assistants:I3 refuses %.40j', (text, reason) => {
    expect(why(text)).toMatch(reason);
  });

  it('is replaced in its place, and kept where somebody changed it', () => {
    const once = put('a = 1\n');
    const later = `${once.text}\n[z]\nb = 1\n`;
    const again = put(later, once.mark, 'other');
    expect(again.kind).toBe('replaced');
    expect(again.text).toBe(later.replace('"codex"', '"other"'));
    expect(takeToml(later, PLACE, again.mark)).toMatchObject({ kind: 'refused' });
    expect(takeToml(again.text, PLACE, again.mark)).toEqual({
      kind: 'removed',
      text: 'a = 1\n\n[z]\nb = 1\n',
    });
  });

  it('is not taken out while lines behind it belong to its table', () => {
    const once = put('[a]\nb = 1\n');
    const result = takeToml(`${once.text}startup_timeout_sec = 30\n`, PLACE, once.mark);
    expect(result).toMatchObject({ kind: 'refused', why: expect.stringContaining('belong to its table') });
  });
});
