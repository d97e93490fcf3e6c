/** What the summary needs of a working session, gathered entry by entry; no content is kept after it was read. */
import { type ContextFacts, type Note, type NoteKind, readNotes } from './note.js';

export interface Gathered {
  readonly entries: number;
  /** 0 when there are none. */
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly counts: Readonly<Record<string, number>>;
  /** What still counts, newest first, the same words once. */
  readonly notes: Readonly<Record<NoteKind, readonly Note[]>>;
}

export class NotesFold {
  readonly #counts = new Map<string, number>();
  readonly #notes: Note[] = [];
  readonly #superseded = new Set<number>();
  #first: ContextFacts | undefined;
  #last: ContextFacts | undefined;
  #entries = 0;

  /** In order of their numbers. */
  add(entry: ContextFacts): void {
    const { notes, supersedes } = readNotes(entry);
    this.#notes.push(...notes);
    for (const number of supersedes) this.#superseded.add(number);
    this.#counts.set(entry.contextType, (this.#counts.get(entry.contextType) ?? 0) + 1);
    const bare = { ...entry, content: '', metadata: {} };
    this.#first ??= bare;
    this.#last = bare;
    this.#entries += 1;
  }

  result(): Gathered {
    return {
      entries: this.#entries,
      firstNumber: this.#first?.number ?? 0,
      lastNumber: this.#last?.number ?? 0,
      firstAt: this.#first?.at ?? 0,
      lastAt: this.#last?.at ?? 0,
      counts: Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))),
      notes: this.#counting(),
    };
  }

  #counting(): Gathered['notes'] {
    const byKind: Record<NoteKind, Note[]> = {
      goal: [],
      decision: [],
      done: [],
      open: [],
      file: [],
      next: [],
    };
    const known = new Set<string>();
    for (const note of this.#notes.toReversed()) {
      const words = `${note.kind} ${note.text}`;
      if (this.#superseded.has(note.number) || known.has(words)) continue;
      known.add(words);
      byKind[note.kind].push(note);
    }
    return byKind;
  }
}
