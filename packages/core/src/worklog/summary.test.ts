import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContextFacts, NOTE_KINDS, type NoteKind } from './note.js';
import { NotesFold } from './notes-fold.js';
import { summarize, tokensOf } from './summary.js';

const WHO = { sessionKey: 'the work', owner: 'alice' };
const SECTION = {
  goal: 'goal',
  decision: 'decisions',
  done: 'done',
  open: 'open',
  file: 'files',
  next: 'next',
} as const;

function gather(entries: readonly ContextFacts[]) {
  const fold = new NotesFold();
  for (const entry of entries) fold.add(entry);
  return fold.result();
}

interface Said {
  readonly kind?: NoteKind;
  readonly text: string;
  readonly supersedes?: number;
}

const entriesOf = (said: readonly Said[]): readonly ContextFacts[] =>
  said.map(({ kind, text, supersedes }, index) => ({
    number: index + 1,
    contextType: index % 3 === 0 ? 'file' : 'message',
    at: 1_800_000_000_000 + index,
    content: text,
    metadata: { ...(kind && { note: kind }), ...(supersedes !== undefined && { supersedes }) },
  }));

describe('a summary', () => {
  it('reads like this', () => {
    const gathered = gather(
      entriesOf([
        { kind: 'goal', text: 'Ship the parser' },
        { kind: 'decision', text: 'Recursive descent' },
        { text: 'thinking aloud' },
        { kind: 'decision', text: 'Generated tables', supersedes: 2 },
        { kind: 'done', text: 'Lexer' },
        { kind: 'open', text: 'Error messages' },
        { kind: 'file', text: 'src/lexer.ts' },
        { kind: 'next', text: 'Write the grammar' },
      ]),
    );
    expect(summarize(gathered, WHO)).toEqual({
      text: [
        'Working session "the work" of alice: 8 context entries (3 file, 5 message), numbers 1 to 8, 2027-01-15T08:00:00.000Z to 2027-01-15T08:00:00.007Z.',
        'Goal:',
        '- Ship the parser [1]',
        'Decisions:',
        '- Generated tables [4]',
        'Done:',
        '- Lexer [5]',
        'Open:',
        '- Error messages [6]',
        'Files:',
        '- src/lexer.ts [7]',
        'Next:',
        '- Write the grammar [8]',
      ].join('\n'),
      goal: ['Ship the parser'],
      decisions: ['Generated tables'],
      done: ['Lexer'],
      open: ['Error messages'],
      files: ['src/lexer.ts'],
      next: ['Write the grammar'],
      tokenBudget: 2_000,
      tokens: 77,
      omitted: {},
    });
  });

  it('says that there is nothing yet', () => {
    expect(summarize(gather([]), WHO).text).toBe(
      'Working session "the work" of alice: no context entries yet.',
    );
  });

  it('says the same thing once, where it was said last', () => {
    const same = gather(entriesOf([1, 2, 3].map(() => ({ kind: 'file', text: 'a.ts' }))));
    expect(summarize(same, WHO)).toMatchObject({ files: ['a.ts'], omitted: {} });
    expect(summarize(same, WHO).text).toContain('- a.ts [3]');
  });

  it('keeps the newest and says what it left out', () => {
    const many = gather(
      entriesOf(Array.from({ length: 300 }, (_, i) => ({ kind: 'done' as const, text: `step ${i}` }))),
    );
    const { done, omitted, text } = summarize(many, WHO, 200);
    expect(done.at(-1)).toBe('step 299');
    expect(done.length + (omitted.done ?? 0)).toBe(300);
    expect(text).toContain(`Left out for length: done ${omitted.done}.`);
  });

  it('gives every section a turn before any gets a second', () => {
    const greedy = gather(
      entriesOf([
        { kind: 'next', text: 'the next step' },
        ...Array.from({ length: 300 }, (_, i) => ({ kind: 'decision' as const, text: `decision ${i}` })),
      ]),
    );
    expect(summarize(greedy, WHO, 100).next).toEqual(['the next step']);
  });
});

describe('any summary', () => {
  const aText = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ minLength: 500, maxLength: 900 }),
  );
  const saidThings = fc.array(
    fc.record(
      {
        kind: fc.option(fc.constantFrom(...NOTE_KINDS), { nil: undefined as unknown as NoteKind }),
        text: aText,
        supersedes: fc.integer({ min: 0, max: 60 }),
      },
      { requiredKeys: ['text'] },
    ),
    { maxLength: 60 },
  );
  const aBudget = fc.integer({ min: 0, max: 800 });

  it('is within its budget, whatever the budget', () => {
    fc.assert(
      fc.property(saidThings, aBudget, (said, budget) => {
        const { text, tokens } = summarize(gather(entriesOf(said)), WHO, budget);
        expect(tokensOf(text)).toBeLessThanOrEqual(budget);
        expect(tokens).toBe(tokensOf(text));
        expect(tokens).toBe(Math.ceil(new TextEncoder().encode(text).length / 4));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same for the same entries', () => {
    fc.assert(
      fc.property(saidThings, aBudget, (said, budget) => {
        const twice = [1, 2].map(() => summarize(gather(entriesOf(said)), WHO, budget));
        expect(twice[0]).toEqual(twice[1]);
      }),
    );
  });

  it('never shows what was taken back', () => {
    fc.assert(
      fc.property(saidThings, (said) => {
        // Every text is unique, so that it can be traced to its entry.
        const entries = entriesOf(
          said.map((item, index) => ({ ...item, text: `#${index + 1}# ${item.text}` })),
        );
        const summary = summarize(gather(entries), WHO, 100_000);
        const takenBack = said.flatMap(({ kind, supersedes }, index) =>
          kind && supersedes !== undefined && supersedes <= index ? [supersedes] : [],
        );
        for (const number of takenBack) expect(summary.text).not.toContain(`\n- #${number}#`);
        const counted = said.filter(({ kind }, index) => kind && !takenBack.includes(index + 1)).length;
        const shown = Object.values(SECTION).reduce((sum, section) => sum + summary[section].length, 0);
        expect(shown).toBe(counted);
      }),
      { numRuns: 300 },
    );
  });

  it('lets no older note of a section survive a newer one', () => {
    fc.assert(
      fc.property(saidThings, aBudget, (said, budget) => {
        const gathered = gather(entriesOf(said));
        const summary = summarize(gathered, WHO, budget);
        for (const kind of NOTE_KINDS) {
          const newestFirst = gathered.notes[kind].map(({ text }) => text);
          const survivors = summary[SECTION[kind]];
          expect(survivors.toReversed()).toEqual(newestFirst.slice(0, survivors.length));
          expect(survivors.length + (summary.omitted[SECTION[kind]] ?? 0)).toBe(newestFirst.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});
