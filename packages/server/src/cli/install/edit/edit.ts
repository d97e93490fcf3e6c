/**
 * What `install` does to the text of one file, and `uninstall` undoes. Pure: text in, text out.
 *
 * E1. What is not ours keeps its bytes: comments, order, indentation, line ends.
 * E2. What stands in our place and was not written by us, or was changed since, is never touched: a `Refusal`.
 * E3. To put twice is to put once, and to take what was put gives the bytes from before.
 */

/** What is remembered of one insertion, so that it can be recognised and taken out again. */
export interface Mark {
  /** Of what we wrote there. Two while an older one is being replaced: either may be found after a crash. */
  readonly digests: readonly string[];
  /** White space that came with it, before and behind. */
  readonly lead: string;
  readonly tail: string;
  /** How many of the objects and lists around it were made for it. */
  readonly made: number;
}

/** `text` undefined: there is no file. */
export type Text = string | undefined;

export interface Put {
  readonly kind: 'same' | 'added' | 'replaced';
  readonly text: string;
  readonly mark: Mark;
}

export interface Taken {
  readonly kind: 'removed' | 'gone';
  readonly text: Text;
}

/** Why nothing was done: the end of a sentence that begins with the name of the file. */
export interface Refusal {
  readonly kind: 'refused';
  readonly why: string;
}

export const refusal = (why: string): Refusal => ({ kind: 'refused', why });
