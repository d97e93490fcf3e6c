/**
 * What a brief needs of a working session, gathered entry by entry from the newest to the oldest. Backwards, because what
 * comes later decides what still counts: a note that was superseded, replaced or said again is known to be dead when it is
 * met, and the newest of everything is met first.
 *
 * G1. Every entry is looked at once, and its text is kept only as far as a brief can show it: of each kind and each group
 *     at most the bytes of the whole brief.
 * G2. What is not kept is counted.
 * G3. An entry may hold a megabyte of text, or thousands of notes: it is taken in steps, and others may go first between them.
 */
import { utf8Length } from '../../text.js';
import { charactersOf, cleaning, cleanText } from './clean-text.js';
import {
  type BriefEntry,
  fileNote,
  isCapture,
  type Note,
  type NoteWarning,
  type SaidNotes,
  saidNotes,
} from './entry-notes.js';
import { excerptOf, shorten } from './excerpt.js';
import type { NoteKind, TurnKind } from './kinds.js';
import type { BriefLimits } from './limits.js';
import { PlainGather, type PlainGathered } from './plain.js';

/** A note as it can be shown. */
export interface KeptNote {
  readonly number: number;
  /** Among the notes of its entry. */
  readonly index: number;
  readonly author: string;
  readonly text: string;
  /** Characters that its text leaves out. */
  readonly lost: number;
  /** Of the whole note. */
  readonly characters: number;
}

/** Where it stands, and who said it. */
type NotePlace = Pick<KeptNote, 'number' | 'index' | 'author'>;

export interface KindGathered {
  /** Newest first. */
  readonly kept: readonly KeptNote[];
  /** Of all that count, kept or not. */
  readonly count: number;
  readonly characters: number;
}

export interface Gathered {
  readonly entries: number;
  /** 0 when there are none. */
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<TurnKind, KindGathered>;
  readonly plain: PlainGathered;
  readonly warnings: readonly NoteWarning[];
}

/** A note is a few steps of its own, however short it is: as dear as so many characters. */
const NOTE_WORK = 500;

const workOf = ({ notes, supersedes, replaces, warnings }: SaidNotes): number =>
  NOTE_WORK + 10 * (notes.length + supersedes.length + replaces.length + warnings.length);

interface Kept {
  readonly kept: KeptNote[];
  count: number;
  characters: number;
  bytes: number;
  isFull: boolean;
}

export class BriefGather {
  readonly #limits: BriefLimits;
  /** Two texts with one digest are the same words. */
  readonly #digest: (text: string) => string;
  readonly #counts = new Map<string, number>();
  readonly #kinds = new Map<TurnKind, Kept>();
  readonly #plain: PlainGather;
  readonly #superseded = new Set<number>();
  readonly #replaced = new Set<NoteKind>();
  readonly #words = new Set<string>();
  readonly #captured = new Set<string>();
  /** The newest first. */
  readonly #warnings: NoteWarning[] = [];
  #entries = 0;
  #first: { readonly number: number; readonly at: number } | undefined;
  #last: { readonly number: number; readonly at: number } | undefined;

  constructor(limits: BriefLimits, digest: (text: string) => string) {
    this.#limits = limits;
    this.#digest = digest;
    this.#plain = new PlainGather(limits);
  }

  /** From the newest to the oldest. Yields how much it has done since: one entry may be dear. */
  *add(entry: BriefEntry): Generator<number, void> {
    const { number, at, contextType, content, metadata } = entry;
    this.#entries += 1;
    this.#first = { number, at };
    this.#last ??= { number, at };
    this.#counts.set(contextType, (this.#counts.get(contextType) ?? 0) + 1);
    const said = saidNotes(entry);
    this.#warnings.push(...said.warnings.toReversed());
    yield workOf(said);
    const isNoted = yield* this.#addNotes(entry, said.notes);
    for (const one of said.supersedes) this.#superseded.add(one);
    for (const kind of said.replaces) this.#replaced.add(kind);
    if (isCapture(metadata)) yield* this.#addCapture(entry);
    else if (!isNoted) {
      const text = yield* cleaning(content);
      if (text !== '') yield* this.#plain.add(entry, text);
    }
  }

  result(): Gathered {
    return {
      entries: this.#entries,
      firstNumber: this.#first?.number ?? 0,
      lastNumber: this.#last?.number ?? 0,
      firstAt: this.#first?.at ?? 0,
      lastAt: this.#last?.at ?? 0,
      counts: this.#counts,
      kinds: this.#kinds,
      plain: this.#plain.result(),
      warnings: this.#warnings.toReversed(),
    };
  }

  /** False: the entry says nothing so. */
  *#addNotes(entry: BriefEntry, notes: readonly Note[]): Generator<number, boolean> {
    const { number, author } = entry;
    const isDead = this.#superseded.has(number);
    let isNoted = false;
    for (const [index, { kind, text }] of [...notes.entries()].reverse()) {
      const clean = yield* cleaning(text);
      yield NOTE_WORK;
      if (clean === '') continue;
      isNoted = true;
      if (isDead) break;
      this.#addNote(kind, { number, index, author }, clean);
    }
    const file = isNoted ? undefined : fileNote(entry);
    if (file !== undefined && !isDead) this.#addNote('file', { number, index: 0, author }, file);
    return isNoted || file !== undefined;
  }

  /** Replaced kinds hold for earlier entries only: they are noted after the entry's own notes. */
  #addNote(kind: NoteKind, place: NotePlace, text: string): void {
    const words = this.#digest(`${kind} ${text}`);
    if (this.#replaced.has(kind) || this.#words.has(words)) return;
    this.#words.add(words);
    this.#keep(kind, place, text);
  }

  /** Of each session of a client the newest capture that says something; of the state of git the newest of all. */
  *#addCapture({ number, author, content, metadata }: BriefEntry): Generator<number, void> {
    const capture = metadata.capture as { readonly clientSession?: unknown; readonly git?: unknown };
    const session = String(capture.clientSession ?? '');
    const place = { number, index: 0, author };
    const text = yield* cleaning(content);
    if (text !== '' && !this.#captured.has(session)) {
      this.#captured.add(session);
      this.#keep('captured', place, text);
    }
    if (typeof capture.git === 'string' && capture.git !== '' && !this.#kinds.has('git'))
      this.#keep('git', place, cleanText(capture.git));
  }

  #keep(kind: TurnKind, place: NotePlace, text: string): void {
    const own = this.#kinds.get(kind) ?? { kept: [], count: 0, characters: 0, bytes: 0, isFull: false };
    this.#kinds.set(kind, own);
    const characters = charactersOf(text);
    own.count += 1;
    own.characters += characters;
    if (own.isFull) return;
    const most = this.#limits.noteBytes(kind);
    const shown = shorten(excerptOf(text, most), most);
    own.bytes += utf8Length(shown.text);
    // No older one is shown after one that does not fit.
    own.isFull = own.bytes > this.#limits.bytes;
    if (!own.isFull) own.kept.push({ ...place, characters, ...shown });
  }

  /** Bytes of text that are kept, by kind and group. */
  get keptBytes(): ReadonlyMap<string, number> {
    const notes = [...this.#kinds].map(
      ([kind, { kept }]) => [kind, kept.reduce((sum, { text }) => sum + utf8Length(text), 0)] as const,
    );
    return new Map<string, number>([...notes, ...this.#plain.keptBytes]);
  }
}
