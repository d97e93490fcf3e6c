/**
 * The journal as a file of lines: what was begun, what is over.
 *
 * J1. A line is in the file before the decision begins; a process that is killed then has begun it.
 * J2. A last line that was torn by a kill is left out. Any other line that is none means that the file is something else:
 *     it is refused and stays as it is.
 * J3. The file is written anew, with what is open alone, at the start and whenever most of it is over. A kill in between
 *     leaves the old file or the new one.
 * J4. One process at a time; only its user can read it.
 * J5. A line that finds no room is no attempt. Half of one is not followed by another: the file is written anew first.
 */
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { validateRequiredField } from '../arguments.js';
import { MacpSdkError } from '../errors.js';
import { MemoryJournal, type OfferKey, type WorkerJournal } from './journal.js';
import { lockJournal } from './journal-lock.js';

const HEADER = '{"journal":"macp-worker/1"}';
/** The file is written anew when it has this many lines more than twice what is open. */
const DEAD_LINES = 1_000;

/** A journal in a file, so that attempts are counted over restarts. */
export function fileJournal(path: string): WorkerJournal {
  validateRequiredField('path', path);
  return new FileJournal(path);
}

class FileJournal implements WorkerJournal {
  readonly #path: string;
  #open = new MemoryJournal();
  #file: number | undefined;
  #unlock: (() => void) | undefined;
  #lines = 0;
  #isTorn = false;

  constructor(path: string) {
    this.#path = path;
  }

  open(): void {
    this.#unlock = lockJournal(this.#path);
    try {
      this.#open = read(this.#path);
      this.#rewrite();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  attempts(offer: OfferKey): number {
    return this.#open.attempts(offer);
  }

  begin(offer: OfferKey, attempt: number): void {
    const before = this.#open.attempts(offer);
    this.#open.begin(offer, attempt);
    try {
      this.#append(lineOf(offer, attempt));
    } catch (error) {
      if (before > 0) this.#open.begin(offer, before);
      else this.#open.end(offer);
      throw error;
    }
  }

  end(offer: OfferKey): void {
    if (this.#open.attempts(offer) === 0) return;
    this.#open.end(offer);
    try {
      this.#append(lineOf(offer, 0));
    } catch {
      // Nothing depends on it: what is over is left out when the file is written anew. Whoever begins next hears of it.
      this.#isTorn = true;
    }
  }

  keepOnly(isOpen: (sessionId: string) => boolean): void {
    this.#open.keepOnly(isOpen);
    this.#rewrite();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#unlock?.();
    this.#unlock = undefined;
  }

  #append(line: string): void {
    if (this.#file === undefined) throw new MacpSdkError(`the journal ${this.#path} is not open`);
    if (this.#isTorn) {
      this.#rewrite();
      return;
    }
    const bytes = Buffer.from(line);
    this.#isTorn = true;
    if (writeSync(this.#file, bytes) < bytes.length)
      throw new MacpSdkError(`no room for the journal ${this.#path}: half a line was written`);
    this.#isTorn = false;
    this.#lines++;
    if (this.#lines > 2 * this.#open.size + DEAD_LINES) this.#rewrite();
  }

  #rewrite(): void {
    const lines = this.#open.entries().map(({ offer, attempt }) => lineOf(offer, attempt));
    const next = `${this.#path}.next`;
    // Until it is done, so that the next line tries it again.
    this.#isTorn = true;
    writeFileSync(next, [`${HEADER}\n`, ...lines].join(''), { mode: 0o600 });
    renameSync(next, this.#path);
    const file = openSync(this.#path, 'a', 0o600);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = file;
    this.#lines = lines.length;
    this.#isTorn = false;
  }
}

/** An attempt, or that it is over (0). */
const lineOf = ({ sessionId, handoffId }: OfferKey, attempt: number) =>
  `${JSON.stringify({ sessionId, handoffId, attempt })}\n`;

function read(path: string): MemoryJournal {
  const journal = new MemoryJournal();
  if (!existsSync(path)) return journal;
  const whole = readFileSync(path, 'utf8').split('\n');
  // Empty behind a line that was written to its end.
  const torn = whole.pop() ?? '';
  const [header, ...lines] = whole;
  if (header === undefined ? !HEADER.startsWith(torn) : header !== HEADER) throw foreign(path);
  for (const line of lines) {
    const entry = entryIn(line);
    if (!entry) throw foreign(path);
    if (entry.attempt === 0) journal.end(entry);
    else journal.begin(entry, entry.attempt);
  }
  return journal;
}

function entryIn(line: string): (OfferKey & { readonly attempt: number }) | undefined {
  try {
    const { sessionId, handoffId, attempt } = JSON.parse(line) as Record<string, unknown>;
    if (typeof sessionId !== 'string' || typeof handoffId !== 'string') return undefined;
    return Number.isSafeInteger(attempt) ? { sessionId, handoffId, attempt: attempt as number } : undefined;
  } catch {
    return undefined;
  }
}

function foreign(path: string): MacpSdkError {
  return new MacpSdkError(`${path} is not a journal of a worker, and was left as it is`);
}
