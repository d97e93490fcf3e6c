import type { Json } from '@handover/core';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import type { Mark } from './edit.js';
import { type JsonPlace, putJson, takeJson } from './json-place.js';

const SERVER: JsonPlace = { within: ['mcpServers'], at: 'handover' };
const VALUE = { command: '/usr/bin/node', args: ['/h.js', 'mcp'] };
const isOurs = (item: unknown) => JSON.stringify(item).includes(' hook ');
const hook = (event: string): JsonPlace => ({ within: ['hooks', event], at: isOurs });
const HOOK = { hooks: [{ type: 'command', command: "node '/h.js' hook stop" }] };

function put(text: string | undefined, place = SERVER, value: Json = VALUE, mark?: Mark) {
  const done = putJson(text, place, value, mark);
  if (done.kind === 'refused') throw new Error(done.why);
  return done;
}

function taken(text: string, place: JsonPlace, mark: Mark) {
  const done = takeJson(text, place, mark);
  if (done.kind === 'refused') throw new Error(done.why);
  return done.text;
}

const why = (text: string, mark?: Mark) => {
  const done = putJson(text, SERVER, VALUE, mark);
  return done.kind === 'refused' ? done.why : done.kind;
};

describe('a value in a JSON file', () => {
  it.each([
    ['no file', undefined, '{\n  "mcpServers": {\n    "handover": {"X"}\n  }\n}\n'],
    [
      'a comment behind the last member stays with it',
      '{\n\t"mcpServers": {\n\t\t"a": {} // mine\n\t}\n}\n',
      '{\n\t"mcpServers": {\n\t\t"a": {}, // mine\n\t\t"handover": {"X"}\n\t}\n}\n',
    ],
    [
      'a comma behind the last member',
      '{\n  "mcpServers": {\n    "a": {}, // mine\n  },\n}',
      '{\n  "mcpServers": {\n    "a": {}, // mine\n    "handover": {"X"},\n  },\n}',
    ],
    ['one line', '{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1, "handover": {"X"}}}'],
    ['an empty object', '{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n    "handover": {"X"}\n  }\n}'],
    [
      'an empty object over lines',
      '{\n  "mcpServers": {\n  }\n}',
      '{\n  "mcpServers": {\n    "handover": {"X"}\n  }\n}',
    ],
    [
      'Windows',
      '{\r\n  "a": 1\r\n}',
      '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "handover": {"X"}\r\n  }\r\n}',
    ],
  ])('assistants:I2 is laid out like its neighbours: %s', (_, before, after) => {
    const done = put(before, SERVER, { X: 1 });
    expect(done.text.replace(/\{\s*"X": ?1\s*\}/, '{"X"}')).toBe(after);
    expect(taken(done.text, SERVER, done.mark)).toBe(before ?? '');
  });

  it('assistants:I1 twice is once', () => {
    const once = put('{}');
    expect(put(once.text, SERVER, VALUE, once.mark)).toMatchObject({ kind: 'same', text: once.text });
    // Also after the client wrote the file again in its own way.
    expect(put(JSON.stringify(parse(once.text))).kind).toBe('same');
  });

  it('is replaced where it is ours, and only there', () => {
    const once = put('{"mcpServers": {"a": 1}}');
    const other = { ...VALUE, args: ['/new.js', 'mcp'] };
    const again = put(once.text, SERVER, other, once.mark);
    expect([again.kind, parse(again.text)]).toEqual(['replaced', { mcpServers: { a: 1, handover: other } }]);
    expect(putJson(once.text, SERVER, other)).toMatchObject({ kind: 'refused' });
    expect(takeJson(again.text, SERVER, once.mark)).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['{', /line 1, property name expected|close brace expected/],
    ['{"a": 1} x', /is no valid JSON/],
    ['[]', /should hold one object/],
    ['['.repeat(100_000), /is no valid JSON/],
    ['{"mcpServers": []}', /something else than an object in mcpServers/],
    ['{"mcpServers": {}, "mcpServers": {}}', /"mcpServers" twice/],
    ['{"mcpServers": {"handover": {}}}', /did not write/],
    ['{"mcpServers": {"handover": null}}', /did not write/],
    ['{"mcpServers": {"handover": 1e999}}', /did not write/],
  ])('assistants:I3 refuses %.40s', (text, reason) => {
    expect(why(text)).toMatch(reason);
  });

  it('takes the objects along that were made for it, and those alone', () => {
    const made = put('{"a": 1}');
    const shared = made.text.replace(/"handover"/, '"mine": 2, "handover"');
    expect(parse(taken(shared, SERVER, made.mark) ?? '')).toEqual({ a: 1, mcpServers: { mine: 2 } });
    const commented = made.text.replace(/"handover"/, '/* keep */ "handover"');
    expect(taken(commented, SERVER, made.mark)).toContain('/* keep */');
    const whole = put(undefined);
    expect(taken(`${whole.text}// mine\n`, SERVER, whole.mark)).toContain('// mine');
    expect(taken(whole.text, SERVER, whole.mark)).toBe('');
  });

  it('keeps a comma for those that were added behind it', () => {
    const made = put('{\n  "mcpServers": {\n    "a": 1\n  }\n}');
    const behind = made.text.replace(/\n {2}\}\n\}$/, ',\n    "b": 2\n  }\n}');
    expect(taken(behind, SERVER, made.mark)).toBe('{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}');
  });

  it('assistants:I2 items of lists are found by what they are; those of others stay', () => {
    const before = '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ]\n  }\n}\n';
    const first = put(before, hook('Stop'), HOOK);
    const second = put(first.text, hook('Start'), HOOK);
    expect(parse(second.text)).toEqual({ hooks: { Stop: [{ hooks: [] }, HOOK], Start: [HOOK] } });
    expect(put(second.text, hook('Stop'), HOOK).kind).toBe('same');
    expect(taken(taken(second.text, hook('Start'), second.mark) ?? '', hook('Stop'), first.mark)).toBe(
      before,
    );
  });
});

describe('random files', () => {
  const blank = fc.constantFrom(
    '',
    ' ',
    '\n',
    '\r\n  ',
    '\t',
    ' // c, }\n',
    '/* ] " */',
    '\n/* a\n b */\n  ',
  );
  const key = fc.constantFrom('a', 'b', 'mcpServers', 'hooks', 'Stop', '"', '//');
  const json = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', 'null', '"x // y"', '{}', '[]'),
      tie('object'),
      tie('list'),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(key, { maxLength: 4 }),
        fc.array(tie('value'), { minLength: 4, maxLength: 4 }),
        fc.array(blank, { minLength: 20, maxLength: 20 }),
        fc.boolean(),
      )
      .map(([keys, values, blanks, trailing]) => {
        const members = keys.map((name, index) => {
          const [one, two, three, four] = blanks.slice(index * 4);
          return `${one}${JSON.stringify(name)}${two}:${three}${values[index]}${four}`;
        });
        const comma = trailing && members.length > 0 ? `,${blanks[16]}` : '';
        return `{${blanks[17]}${members.join(',')}${comma}}`;
      }),
    list: fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), blank, blank)
      .map(([values, one, two]) => `[${one}${values.join(`${two},`)}${two}]`),
  }));
  const file = fc
    .tuple(fc.constantFrom('', '\uFEFF', '// top\n'), json.object, fc.constantFrom('', '\n', ' // end'))
    .map((parts) => parts.join(''));
  const empty = fc.constantFrom(undefined, '', '\n', '\uFEFF', '  \r\n');
  const values = (text: string | undefined) => parse((text ?? '').replace('\uFEFF', '')) ?? {};

  it('assistants:I2 what was put is there, nothing else changed, and taking it gives the bytes back', () => {
    let edited = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: file }, empty), (before) => {
        const places = [SERVER, hook('Stop'), hook('Start')];
        let text = before;
        const done: [JsonPlace, Mark][] = [];
        for (const place of places) {
          const result = putJson(text, place, place === SERVER ? VALUE : HOOK);
          if (result.kind === 'refused') continue;
          expect(result.kind).toBe('added');
          text = result.text;
          done.push([place, result.mark]);
          edited += 1;
          expect(putJson(text, place, place === SERVER ? VALUE : HOOK).kind).toBe('same');
        }
        if (done.some(([place]) => place === SERVER)) expect(values(text).mcpServers.handover).toEqual(VALUE);
        for (const [place, mark] of done.reverse()) {
          const result = takeJson(text, place, mark);
          expect(result.kind).toBe('removed');
          if (result.kind !== 'refused') text = result.text;
        }
        expect(text).toBe(before ?? '');
      }),
      { numRuns: 600 },
    );
    // Most random files can be edited: the property is about something.
    expect(edited).toBeGreaterThan(600);
  });
});
