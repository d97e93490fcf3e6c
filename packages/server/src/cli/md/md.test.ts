import { type BriefEntry, gatherBrief, type JsonObject, writeBrief } from '@handover/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codec } from '../../../../../test/kit/codec.js';
import { headLine, readHeadLine } from './head-line.js';
import { mdHandOff } from './md-hand-off.js';
import { readMd } from './read-md.js';
import { writeMd } from './write-md.js';

const BUDGET = 16_000;

function gathered(entries: readonly BriefEntry[]) {
  const gather = gatherBrief(BUDGET, codec);
  for (const entry of entries.toReversed()) for (const _ of gather.add(entry));
  return gather.result();
}

/** As a brief shows them. */
const notesOf = (entries: readonly BriefEntry[]) =>
  [...gathered(entries).kinds].flatMap(([kind, { kept }]) => kept.map(({ text }) => ({ kind, text })));

function exported(session: string, entries: readonly BriefEntry[]): string {
  const brief = writeBrief(gathered(entries), { sessionKey: session, owner: 'claude' }, BUDGET, codec);
  return writeMd({ session, upTo: entries.length, brief });
}

function read(text: string) {
  const found = readMd(Buffer.from(text));
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const entry = (
  number: number,
  content: string,
  metadata: JsonObject,
  contextType = 'message',
): BriefEntry => ({
  number,
  contextType,
  author: 'claude',
  at: Date.UTC(2026, 10, 15, 8, number),
  content,
  metadata,
});

/** Session B of the specification, with notes that are over left out. */
const B = [
  entry(1, 'The nightly import must finish before 06:00.', { note: 'Goal' }),
  entry(2, 'Use Redis for the queue.', { note: 'decision' }),
  entry(3, '$ npm test\n\nError: 3 tests failed\n  at queue.test.ts:41', {}, 'tool_call'),
  entry(4, '', {
    note: {
      decisions: ['SQLite, not Redis: one process writes.'],
      tried: [
        'Raising the pool size: no effect, the lock is global.\n```sql\nSELECT pg_advisory_lock(1);\n```',
      ],
      files: ['src/queue.ts', 'test/queue.test.ts'],
      next_step: 'Make `queue.test.ts:41` pass.',
      supersedes: 2,
    },
  }),
];

describe('our own HANDOFF.md', () => {
  it('assistants:D1 gives back the notes that it was made from, and keeps the entries as text', () => {
    const found = read(exported('nightly-import', B));
    const notes = notesOf(B);
    const sorted = (list: readonly object[]) => list.map((note) => JSON.stringify(note)).sort();
    expect(sorted(found.notes)).toEqual(sorted(notes));
    expect(found.head).toMatchObject({ session: 'nightly-import', upTo: 4 });
    expect(found.brief).toMatch(/^## Entries\n- \[3\] tool_call:\n {2}> \$ npm test\n/);
  });

  it('assistants:D1 holds for notes of any text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((one) => `x${one}`);
    const lines = fc.array(fc.oneof(text, fc.constantFrom('- item', '## Next', '```', '> q', '1. one')), {
      minLength: 1,
      maxLength: 4,
    });
    const odd = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const author = fc.oneof(fc.constantFrom('claude', 'codex', 'a "b" [1]', 'x\u200b'), odd);
    const kind = fc.constantFrom('goal', 'next', 'open', 'decision', 'tried', 'done', 'file');
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(kind, lines, author), { minLength: 1, maxLength: 6 }), (said) => {
        const entries = said.map(([note, words, who], index) => ({
          ...entry(index + 1, words.join('\n'), { note }),
          author: who,
        }));
        const given = notesOf(entries).map((note) => JSON.stringify(note));
        const found = read(exported('k', entries)).notes.map((note) => JSON.stringify(note));
        expect(found.sort()).toEqual([...new Set(given)].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('a brief and what somebody added to the file are kept', () => {
    const text = exported('k', [entry(1, 'In short: all is well.\n\n- really', { note: 'brief' })]);
    const found = read(`${text}\n## Context\nThe replica is slow.\n\n## Next\n- Ask Ann\n`);
    expect(found.brief).toBe('In short: all is well.\n\n- really\n\n## Context\nThe replica is slow.');
    expect(found.notes).toEqual([{ kind: 'next', text: 'Ask Ann' }]);
  });

  it('assistants:D3 is recognised by its first line, whatever the session is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (session) => {
        const head = { session, upTo: 7, digest: `sha256:${'a'.repeat(64)}` };
        const line = headLine(head);
        expect(line.slice(4, -3)).not.toMatch(/--|[<>\n]/);
        expect(readHeadLine(`${line}\nrest`)).toEqual({ head, end: line.length + 1 });
      }),
      { examples: [['a--b'], ['x-->'], ['"\n']] },
    );
    for (const other of [
      '# Handoff',
      ` ${headLine({ session: 'a', upTo: 1, digest: 'x' })}`,
      '<!-- handover-md@1 -->',
    ])
      expect(readHeadLine(other)).toBeUndefined();
    expect(
      readHeadLine(`<!-- handover-md@1 session="%E0" upTo=1 digest="sha256:${'a'.repeat(64)}" -->`),
    ).toBe(undefined);
  });
});

const GOAL = { kind: 'goal', text: 'Make the import fast.' };
const NEXT = [
  { kind: 'next', text: 'Add the index' },
  { kind: 'next', text: 'Measure again' },
];

describe('a HANDOFF.md of others', () => {
  it.each([
    [
      'lists',
      '# Handoff\n\n## Goal\n\n- Make the import fast.\n\n## Next\n\n- Add the index\n- Measure again\n',
    ],
    [
      'paragraphs and numbers',
      '# GOAL\nMake the import fast.\n# Next steps:\n1. Add the index\n2) Measure again\n',
    ],
    [
      'ticks and pictures',
      '## 🎯 Goal\nMake the import fast.\n\n## ➡️ Next Steps (in order)\n- [ ] Add the index\n- [ ] Measure again\n',
    ],
    [
      'underlined',
      'Objective\n=========\nMake the import fast.\n\nNext step\n---------\n* Add the index\n* Measure again\n',
    ],
    [
      'numbered headings, Windows',
      '\uFEFF### 1. Goals\r\n\r\nMake the import fast.\r\n\r\n### 2. next_steps ###\r\n+ Add the index\r\n+ Measure again\r\n',
    ],
  ])('assistants:D2 gives goal and next: %s', (_, text) => {
    expect(read(text).notes).toEqual([GOAL, ...NEXT]);
  });

  const kindUnder = (heading: string) => read(`# Handoff\n${heading}\n- one\n`).notes.map(({ kind }) => kind);

  it.each([
    ['## What we tried', 'tried'],
    ['## Decisions made', 'decision'],
    ['## Open questions for Ann', 'open'],
    ['## Known pitfalls:', 'tried'],
    ['## Dead ends of the week', 'tried'],
    ['### TO-DO list', 'open'],
    ['## Files changed', 'file'],
    ['## What is done so far', 'done'],
    ['## Our next steps, in order', 'next'],
  ])('assistants:D2 knows a heading by the one kind that its words name: %s', (heading, kind) => {
    expect(kindUnder(heading)).toEqual([kind]);
  });

  it.each([
    ...['## Not done', '## No open questions', "## What we haven't tried", '## Decisions to be made'],
    ...['## Done when', '## Definition of done', '## Decisions and files', '## Next: open questions'],
    ...['## Next.js', '## Open-source licences', '## Summary of the week', '## Context'],
  ])('assistants:D2 leaves in the brief, with its heading, what its words do not say: %s', (heading) => {
    const { notes, brief } = read(`# Handoff\n${heading}\n- one\n`);
    expect(notes).toEqual([]);
    expect(brief).toContain(`${heading}\n- one`);
  });

  it('assistants:D2 the heading of the whole text names no kind by the way', () => {
    const text = '# Handoff: the next release\nA word.\n## Context\n- old\n## Decisions made\n- new\n';
    expect(read(text)).toEqual({
      notes: [{ kind: 'decision', text: 'new' }],
      brief: '# Handoff: the next release\nA word.\n\n## Context\n- old',
    });
    const own = exported('the next file', [entry(1, 'x', { note: 'goal' })]);
    expect(read(own).notes).toEqual([{ kind: 'goal', text: 'x' }]);
  });

  it('nested lines stay with their item; code is no heading; the rest is the brief', () => {
    const text = `Written on Monday.

## Dead ends
- Raised the pool
  - 10: no effect
  - 20: worse

  because of the lock
- \`\`\`
  # Goal
  \`\`\`

## Next
### Later
- Tell Ann
#### Detail

\`\`\`sh
## Done
\`\`\`

## Environment
Postgres 18

---
## Blockers
None
`;
    expect(read(text)).toEqual({
      notes: [
        { kind: 'tried', text: 'Raised the pool\n- 10: no effect\n- 20: worse\n\nbecause of the lock' },
        { kind: 'tried', text: '```\n# Goal\n```' },
        { kind: 'next', text: 'Later: Tell Ann\n#### Detail' },
        { kind: 'next', text: 'Later: ```sh\n## Done\n```' },
        { kind: 'open', text: 'None' },
      ],
      brief: 'Written on Monday.\n\n## Environment\nPostgres 18\n\n---',
    });
  });

  it('nothing that somebody wrote is lost', () => {
    const line = fc.constantFrom(
      'w1',
      '# Goal',
      '## Next',
      '### x',
      '- w2',
      '  w3',
      '```',
      '===',
      '',
      '1. w4',
      '> w5',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { notes, brief = '' } = read(lines.join('\n'));
        const kept = [...notes.map(({ text }) => text), brief].join('\n');
        for (const word of ['w1', 'w2', 'w3', 'w4', 'w5']) {
          const count = (text: string) => text.split(word).length - 1;
          expect(count(kept)).toBeGreaterThanOrEqual(count(lines.join('\n')) > 0 ? 1 : 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('long lines cost what they weigh', () => {
    for (const piece of [' ', '#', '(', '- ', '`', '[1', ' [1]']) {
      const text = `# Next${' '.repeat(9)}\n- ${piece.repeat(400_000 / piece.length)}x\n## ${piece.repeat(400_000 / piece.length)}x\n`;
      expect(read(text).notes.length).toBeLessThanOrEqual(2);
    }
    const nested = `# Next\n- a\n${'  b\n'.repeat(200_000)}`;
    expect(read(nested).notes).toHaveLength(1);
  });

  it('assistants:5.5 refuses what is too large or no text', () => {
    expect(readMd(Buffer.alloc(1_048_577, 0x61))).toBe('has more than 1048576 bytes');
    expect(readMd(Buffer.from([0x23, 0xff]))).toBe('is no UTF-8 text');
    expect(read('')).toEqual({ notes: [] });
  });
});

describe('as a handoff', () => {
  const file = { name: 'HANDOFF.md', text: 'all of it' };
  const notes = (kind: 'done' | 'goal' | 'file', texts: readonly string[]) =>
    texts.map((text) => ({ kind, text }));

  it('assistants:D2 what a list cannot hold stands in the brief', () => {
    const texts = Array.from({ length: 60 }, (_, n) => `item ${n}`);
    const said = mdHandOff({ notes: notes('done', texts), brief: 'rest' }, file);
    expect(said).toMatchObject({ done: texts.slice(0, 50) });
    expect(said).toHaveProperty(
      'brief',
      `## Done\n${texts
        .slice(50)
        .map((text) => `- ${text}`)
        .join('\n')}\n\nrest`,
    );
    const long = 'x'.repeat(4_001);
    expect(mdHandOff({ notes: notes('goal', ['a', long]) }, file)).toEqual({
      brief: `## Goal\n- a\n${long}`,
    });
    expect(mdHandOff({ notes: notes('goal', ['a', 'b']) }, file)).toEqual({ goal: 'a\nb' });
    const path = 'p'.repeat(501);
    expect(mdHandOff({ notes: notes('file', ['a', path]) }, file)).toEqual({
      files: ['a'],
      brief: `## Files\n- ${path}`,
    });
  });

  it('what the brief cannot hold goes along whole, and what no attachment can is refused', () => {
    const brief = '"漢'.repeat(30_000);
    const said = mdHandOff({ notes: [], brief }, { ...file, text: brief });
    expect(said).toMatchObject({ attachments: [{ name: 'HANDOFF.md', content: brief }] });
    if (typeof said === 'string') throw new Error(said);
    expect(Buffer.byteLength(said.brief ?? '')).toBeLessThanOrEqual(65_536);
    expect(said.brief).toMatch(/\(cut; all of it is in the attachment "HANDOFF.md"\)$/);
    expect(mdHandOff({ notes: [], brief }, { ...file, text: 'x'.repeat(1_000_001) })).toContain(
      '1000000 bytes',
    );
  });
});
