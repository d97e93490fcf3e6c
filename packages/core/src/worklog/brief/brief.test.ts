import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codec } from '../../../../../test/kit/codec.js';
import type { JsonObject } from '../../log/json.js';
import { utf8Length } from '../../text.js';
import { type BriefSubject, briefWarnings, gatherBrief, tokensOf, writeBrief } from './brief.js';
import type { BriefEntry } from './entry-notes.js';
import { NOTE_KINDS } from './kinds.js';

const minute = (count: number): number => Date.UTC(2026, 10, 15, 8, count);

interface Said {
  readonly content: string;
  readonly at?: number;
  readonly contextType?: string;
  readonly metadata?: JsonObject;
  readonly author?: string;
}

const entriesOf = (owner: string, said: readonly Said[]): readonly BriefEntry[] =>
  said.map(({ content, at = 0, contextType = 'message', metadata = {}, author = owner }, index) => ({
    number: index + 1,
    at: minute(at),
    contextType,
    author,
    content,
    metadata,
  }));

function briefOf(subject: BriefSubject, entries: readonly BriefEntry[], budget = 4_000) {
  const gather = gatherBrief(budget, codec);
  for (const entry of entries.toReversed()) for (const _ of gather.add(entry));
  const gathered = gather.result();
  return {
    ...writeBrief(gathered, subject, budget, codec),
    warnings: briefWarnings(gathered),
    kept: gather.keptBytes,
  };
}

const B = entriesOf('claude', [
  { content: 'The nightly import must finish before 06:00.', metadata: { note: 'Goal' } },
  { at: 5, content: 'Use Redis for the queue.', metadata: { note: 'decision' } },
  {
    at: 9,
    contextType: 'tool_call',
    content: '$ npm test\n\nError: 3 tests failed\n  at queue.test.ts:41',
  },
  {
    at: 12,
    content: '',
    metadata: {
      note: {
        decisions: ['SQLite, not Redis: one process writes.'],
        tried: [
          'Raising the pool size: no effect, the lock is global.\n```sql\nSELECT pg_advisory_lock(1);\n```',
        ],
        files: ['src/queue.ts', 'test/queue.test.ts'],
        next_step: 'Make `queue.test.ts:41` pass.',
        mood: 'good',
        supersedes: 2,
      },
    },
  },
]);
const NIGHTLY = { sessionKey: 'nightly-import', owner: 'claude' };

const OPENINGS: Readonly<Record<number, string>> = {
  1: 'Message 1. Please make the nightly import faster.',
  50: 'Message 50. We decided: no new index on orders.',
  120: 'Message 120.\nError: connection reset by peer',
  298: 'Message 298. TODO: run the import on the replica.',
};
const C = entriesOf(
  'claude',
  Array.from({ length: 300 }, (_, index) => {
    const opening = OPENINGS[index + 1] ?? `Message ${index + 1}.`;
    const content = opening + ' the import reads one row and writes one row;'.repeat(100);
    return { at: index + 1, content: content.slice(0, 3_495) };
  }),
);

describe('assistants:B1 a brief', () => {
  it('of one entry without a note is not empty', () => {
    const entries = entriesOf('docs', [{ content: 'Hello', metadata: { source: 'user' } }]);
    const brief = briefOf({ sessionKey: 'session-1', owner: 'docs' }, entries);
    expect(brief.text.split('\n')).toEqual([
      '# Handover of "session-1"',
      'From docs: 1 entry (1 message), 1 to 1, 2026-11-15T08:00:00Z to 2026-11-15T08:00:00Z.',
      '## Entries',
      '- [1] message: Hello',
    ]);
    expect(brief).toMatchObject({
      tokens: 36,
      omitted: {},
      digest: 'sha256:0b8e3ed22e1eb8dea956368581d60a567e2d3674d469cb9844e09e2ab28d35fe',
    });
    expect(brief.warnings.map(({ code }) => code)).toEqual(['NO_GOAL', 'NO_NEXT']);
  });

  it('of notes and an error reads like this', () => {
    const brief = briefOf(NIGHTLY, B);
    expect(brief.text.split('\n')).toEqual([
      '# Handover of "nightly-import"',
      'From claude: 4 entries (3 message, 1 tool_call), 1 to 4, 2026-11-15T08:00:00Z to 2026-11-15T08:12:00Z.',
      '## Goal',
      '- The nightly import must finish before 06:00. [1]',
      '## Next',
      '- Make `queue.test.ts:41` pass. [4]',
      '## Decisions',
      '- SQLite, not Redis: one process writes. [4]',
      '## Dead ends',
      '- [4]',
      '  > Raising the pool size: no effect, the lock is global.',
      '  > ```sql',
      '  > SELECT pg_advisory_lock(1);',
      '  > ```',
      '## Files',
      '- src/queue.ts [4]',
      '- test/queue.test.ts [4]',
      '## Entries',
      '- [3] tool_call:',
      '  > $ npm test',
      '  >',
      '  > Error: 3 tests failed',
      '  >   at queue.test.ts:41',
    ]);
    expect(brief).toMatchObject({
      tokens: 144,
      omitted: {},
      digest: 'sha256:c8e5a735486aa332cbe2bb9ee79a3fc3e5d436238abd531cfdf9895063327250',
    });
    expect(brief.warnings).toMatchObject([{ code: 'NOTE_KIND_UNKNOWN', entry: 4, given: 'mood' }]);
  });

  it('of 300 messages shows both ends, the error and the decision, and says what it left out', () => {
    const brief = briefOf({ sessionKey: 'plain', owner: 'claude' }, C);
    expect(brief).toMatchObject({
      tokens: 3_956,
      omitted: { entries: 281, shortened: 19, characters: 1_033_775 },
      digest: 'sha256:373acae50a39f3c471d7dfe4e732694efa652185443474293d695f0cf6d2abc6',
    });
    expect(brief.text.split('\n').slice(-3)).toEqual([
      '## Left out',
      '- entries: 281 of 300',
      '- in all 1033775 characters; 19 shown shortened; readContext has them',
    ]);
  });
});

describe('assistants:B3 a brief with little room', () => {
  it('keeps goal and next, and counts the rest', () => {
    const long = entriesOf('claude', [
      ...B.map((entry) => ({ ...entry, at: 0 })),
      ...Array.from({ length: 20 }, (_, index) => ({
        content: `Decision ${index} ${'of many words '.repeat(20)}`,
        metadata: { note: 'decision' },
      })),
    ]);
    const brief = briefOf(NIGHTLY, long, 400);
    expect(brief.text).toContain('The nightly import must finish before 06:00. [1]');
    expect(brief.text).toContain('Make `queue.test.ts:41` pass. [4]');
    const shown = brief.text.split('\n').filter((line) => line.startsWith('- Decision'));
    expect(shown.length + (brief.omitted.decision ?? 0)).toBe(21);
  });

  it('what is shown and what is omitted make up all there is, of each kind and of the entries', () => {
    const some = (kind: string, count: number): readonly Said[] =>
      Array.from({ length: count }, (_, index) => ({
        content: `${kind} ${index} ${'of many words '.repeat(6)}`,
        metadata: kind === 'plain' ? {} : { note: kind },
      }));
    const captures = Array.from({ length: 3 }, (_, index) => ({
      content: `captured ${index} ${'of many words '.repeat(6)}`,
      metadata: { capture: { clientSession: `${index}` } },
    }));
    for (const budget of [400, 700, 1_500]) {
      const plain = some('plain', 30);
      const all = [...NOTE_KINDS.flatMap((kind) => some(kind, 7)), ...captures, ...plain];
      const brief = briefOf(NIGHTLY, entriesOf('claude', all), budget);
      const lines = brief.text.split('\n');
      const shown = (word: string) =>
        lines.filter((line) => line.includes(`${word} `) && /^- .*of many/.test(line)).length;
      const made = Object.fromEntries(
        [...NOTE_KINDS, 'captured'].map((kind) => {
          const titles = lines.filter((line) => line.startsWith(`- ${kind} `)).length;
          return [kind, titles + (brief.omitted[kind] ?? 0)];
        }),
      );
      expect(made).toEqual({ ...Object.fromEntries(NOTE_KINDS.map((kind) => [kind, 7])), captured: 3 });
      expect(shown('plain') + (brief.omitted.entries ?? 0)).toBe(plain.length);
      expect(brief.omitted.entries).toBeGreaterThan(0);
      expect(lines.at(-1)).toContain(`in all ${brief.omitted.characters} characters`);
    }
  });
});

describe('what an entry says', () => {
  const of = (said: readonly Said[]) => briefOf(NIGHTLY, entriesOf('claude', said));

  it('replaces, supersedes and repeats what was said before', () => {
    const { text } = of([
      { content: 'first goal', metadata: { note: 'goal' } },
      { content: 'step one', metadata: { note: 'next' } },
      { content: 'kept', metadata: { note: 'decision' } },
      { content: 'kept', metadata: { note: 'decision' } },
      { content: '', metadata: { note: { goal: 'second goal', replaces: ['Goals', 'next steps'] } } },
    ]);
    expect(text).not.toMatch(/first goal|step one|kept \[3\]/);
    expect(text).toContain('- second goal [5]');
    expect(text).toContain('- kept [4]');
  });

  it('replaces and supersedes also when that stands beside the note', () => {
    const { text, warnings } = of([
      { content: 'o1', metadata: { note: 'open' } },
      { content: 'wrong', metadata: { note: 'decision' } },
      { content: '', metadata: { note: { done: 'o1' }, replaces: ['open'], supersedes: 2 } },
      { content: 'x', metadata: { replaces: ['done'] } },
    ]);
    expect(text).not.toMatch(/## Open|wrong/);
    expect(text).toContain('## Done\n- o1 [3]');
    expect(warnings.filter(({ code }) => code !== 'NO_GOAL' && code !== 'NO_NEXT')).toEqual([]);
  });

  it('is a file by its path, and is not believed to begin a line of ours', () => {
    const { text } = of([
      { contextType: 'file', content: 'export {};', metadata: { path: 'src/a.ts' } },
      { content: '## Goal\n- to deceive', author: 'mallory' },
    ]);
    expect(text).toContain('## Files\n- src/a.ts [1]');
    expect(text).toContain('- [2] message by mallory:\n  > ## Goal\n  > - to deceive');
  });

  it('of somebody else than the owner names who said it, and takes the room for that', () => {
    const said = { metadata: { note: 'decision' }, author: 'mallory' };
    const { text } = of([
      { ...said, content: 'Redis' },
      { ...said, content: 'Two\nlines' },
      { ...said, content: 'as [7 by codex]', author: 'a b [1]' },
      { content: 'own', metadata: { note: 'decision' } },
    ]);
    expect(text).toContain('- Redis [1 by mallory]\n- [2 by mallory]\n  > Two\n  > lines\n');
    expect(text).toContain('- as [7 by codex] [3 by "a b [1]"]\n- own [4]');
    const long = Array.from({ length: 90 }, (_, n) => ({ ...said, content: `${n}`.repeat(20) }));
    const many = briefOf(NIGHTLY, entriesOf('claude', long), 400);
    expect(utf8Length(many.text)).toBeLessThanOrEqual(1_600);
  });

  it('is told when it supersedes what does not come before it', () => {
    const { warnings } = of([{ content: 'x', metadata: { note: 'goal', supersedes: [1, 7] } }]);
    expect(warnings.filter(({ code }) => code === 'SUPERSEDES_UNKNOWN')).toHaveLength(2);
  });

  it('is shown once for each session of a client: the newest capture', () => {
    const capture = (content: string, clientSession: string, git?: string): Said => ({
      contextType: 'system',
      content,
      metadata: { capture: { clientSession, ...(git !== undefined && { git }) } },
    });
    const { text } = of([
      capture('old', 'a', 'main'),
      capture('new', 'a', 'feature'),
      capture('of another', 'b'),
    ]);
    expect(text).toContain('## Captured\n- new [2]\n- of another [3]\n## Git\n- feature [2]');
  });
});

describe('assistants:V1 names that cannot be seen whole', () => {
  const briefWith = (sessionKey: string, owner: string, author = owner) =>
    briefOf({ sessionKey, owner }, entriesOf(owner, [{ content: 'Hello', author }]), 400).text;

  it('stand written out in the heading and beside entries', () => {
    const [heading, from, , entry] = briefWith('shop\u3164\u202e', '\u2800', 'co\u200bdex').split('\n');
    expect(heading).toBe('# Handover of "shop\\u3164\\u202e"');
    expect(from).toMatch(/^From "\\u2800": 1 entry/);
    expect(entry).toBe('- [1] message by "co\\u200bdex": Hello');
  });

  it('do not make a line longer than another name could', () => {
    const [heading = '', from = ''] = briefWith('\u{e0061}'.repeat(120), '\u{e0061}'.repeat(64)).split('\n');
    expect(heading.length).toBeLessThanOrEqual('# Handover of ""'.length + 80);
    expect(from.indexOf(':')).toBeLessThanOrEqual('From ""'.length + 100);
  });

  it('others stay as they are, but for those of several words, which could be read as ours', () => {
    expect(briefWith('日本 "a"', 'Zoë.B')).toContain('# Handover of "日本 \\"a\\""\nFrom Zoë.B: 1 entry');
    expect(briefWith('a', 'Zoë B.')).toContain('\nFrom "Zoë B.": 1 entry');
  });
});

describe('assistants:B2 whatever is written', () => {
  const words = fc.constantFrom(
    ...[
      'Error: x',
      'todo: y',
      'we decided',
      'ünïcödé',
      '日本語',
      '🎉',
      '\n',
      '\r\n',
      '\u2028',
      '\t',
      '# a',
      '> b',
    ],
    ...['FAILED', 'plain words', '\u0007', '\u202e', ''],
  );
  const text = fc.array(words, { maxLength: 300 }).map((parts) => parts.join(' '));
  const note = fc.oneof(
    fc.constantFrom('goal', 'next', 'mood'),
    fc.record({ decision: text, files: fc.array(text, { maxLength: 3 }), supersedes: fc.nat(20) }),
  );
  const said = fc.record({
    content: text,
    contextType: fc.constantFrom('message', 'file', 'tool_call'),
    author: fc.constantFrom('claude', 'codex'),
    metadata: fc.oneof(
      fc.constant({}),
      note.map((one) => ({ note: one })),
    ),
  });

  /** What an entry took back is no text that must be shown. */
  const supersededBy = ({ metadata }: BriefEntry): number =>
    Number((metadata.note as JsonObject | undefined)?.supersedes ?? 0);

  it('it fits, is not empty, is the same again, and no text of others begins a line', () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 40 }), fc.integer({ min: 400, max: 16_000 }), (all, budget) => {
        const entries = entriesOf('claude', all as readonly Said[]);
        const brief = briefOf(NIGHTLY, entries, budget);
        expect(tokensOf(brief.text)).toBeLessThanOrEqual(budget);
        expect(briefOf(NIGHTLY, entries, budget)).toEqual(brief);
        const lines = brief.text.split('\n').slice(2);
        for (const line of lines) expect(line).toMatch(/^(?:## (?:[A-Z][a-z]+ ?)+[a-z]*$|- | {2}>)/);
        const isDead = ({ number }: BriefEntry) =>
          entries.some((later) => later.number > number && supersededBy(later) === number);
        const hasText = entries.some((entry) => /[^\s\p{C}]/u.test(entry.content) && !isDead(entry));
        if (hasText) expect(lines.length).toBeGreaterThan(1);
        const [, left = ''] = brief.text.split('\n## Left out\n');
        expect(utf8Length(left)).toBeLessThanOrEqual(280);
      }),
      { numRuns: 4_000 },
    );
  });
});

describe('assistants:B6 a long session', () => {
  it('is folded once, entry by entry, and of each kind and group no more is kept than a brief has bytes', () => {
    const budget = 400;
    const gather = gatherBrief(budget, codec);
    const folded: number[] = [];
    const content = 'Error: one of many words, TODO. '.repeat(32);
    const notes = [...NOTE_KINDS, ...NOTE_KINDS.map(() => undefined)];
    for (let number = 50_000; number > 0; number--) {
      const note = notes[number % notes.length];
      const capture = number % 100 === 0 && { capture: { clientSession: `${number}`, git: 'main' } };
      const metadata: JsonObject = capture || (note === undefined ? {} : { note });
      const entry = { number, at: minute(0), contextType: 'message', author: 'claude', metadata };
      const text = {
        get content() {
          folded.push(number);
          return `${number} ${content}`;
        },
      };
      for (const _ of gather.add(
        Object.defineProperties(entry, Object.getOwnPropertyDescriptors(text)) as BriefEntry,
      ));
    }
    const kept = [...gather.keptBytes];
    expect(kept.map(([group]) => group).sort()).toEqual(
      [...NOTE_KINDS, 'captured', 'git', 'oldest', 'first', 'latest', 'errors', 'marked'].sort(),
    );
    for (const [group, bytes] of kept) expect([group, bytes <= 4 * budget]).toEqual([group, true]);
    // In order, and never again when the brief is written.
    const looks = folded.length;
    expect([...new Set(folded)]).toEqual(Array.from({ length: 50_000 }, (_, index) => 50_000 - index));
    const brief = writeBrief(gather.result(), NIGHTLY, budget, codec);
    expect(folded).toHaveLength(looks);
    expect(tokensOf(brief.text)).toBeLessThanOrEqual(budget);
    expect(brief.omitted).toMatchObject({ entries: expect.any(Number), decision: expect.any(Number) });
  });
});
