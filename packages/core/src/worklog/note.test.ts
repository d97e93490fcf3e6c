import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../log/json.js';
import { readNotes } from './note.js';

const notesIn = (metadata: JsonObject, content = 'the content', number = 7) =>
  readNotes({ number, contextType: 'message', at: 0, content, metadata });

describe('notes in metadata', () => {
  it('reads one or many of each kind', () => {
    const { notes, supersedes } = notesIn({
      note: { decision: 'SQLite', file: ['a.ts', 'b.ts'], supersedes: 4 },
    });
    expect(notes.map(({ kind, text }) => [kind, text])).toEqual([
      ['decision', 'SQLite'],
      ['file', 'a.ts'],
      ['file', 'b.ts'],
    ]);
    expect(supersedes).toEqual([4]);
  });

  it('takes the content when only the kind is named', () => {
    const { notes, supersedes } = notesIn({ note: 'next', supersedes: [1, 2] });
    expect(notes).toEqual([{ number: 7, kind: 'next', text: 'the content' }]);
    expect(supersedes).toEqual([1, 2]);
  });

  it('passes over what it does not know', () => {
    for (const note of ['remember the milk', 5, null, ['goal'], { plan: 'x', goal: 3 }])
      expect(notesIn({ note }).notes).toEqual([]);
    expect(notesIn({ supersedes: 3 })).toEqual({ notes: [], supersedes: [] });
  });

  it('takes back only what was said before', () => {
    expect(notesIn({ note: { goal: 'g', supersedes: [6, 7, 8, 'six'] } }).supersedes).toEqual([6]);
  });

  it('is one line, and not a long one', () => {
    const [note] = notesIn({ note: { open: '  a\nDone:\r\n-\tb\u0000c ' } }).notes;
    expect(note?.text).toBe('a Done: - b c');
    const [long] = notesIn({ note: 'goal' }, '😀'.repeat(1_000)).notes;
    expect([...(long?.text ?? '')]).toHaveLength(600);
    expect(long?.text.endsWith('…')).toBe(true);
    expect(notesIn({ note: 'goal' }, ' \n ').notes).toEqual([]);
  });
});
