/** Findings of the validators: each has a code for programs, a sentence for people, and often a path. */
export interface Issue {
  readonly level: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** Dotted from the root, such as `bundles.0.items.1.payload.A.type`. */
  readonly path?: string;
}

export interface Findings {
  readonly valid: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** How many more there are that are not listed. */
  readonly omitted?: number;
}

/** Errors that are listed, and warnings that are. Whoever mends that many finds the rest with the next call. */
export const MAX_FINDINGS = 100;
/** The longest message or path: both may hold names that the document chose. */
const MAX_TEXT = 512;
/** The longest part of a path; names that are valid are shorter. */
const MAX_NAME = 256;

export class Issues {
  readonly #errors: Issue[] = [];
  readonly #warnings: Issue[] = [];
  #omitted = 0;

  error(code: string, path: string | undefined, message: string): void {
    this.#add(this.#errors, 'error', code, path, message);
  }

  warn(code: string, path: string | undefined, message: string): void {
    this.#add(this.#warnings, 'warning', code, path, message);
  }

  /** One error for each key that does not belong there. */
  onlyKeys(value: Json_, allowed: ReadonlySet<string>, code: string, path: string): void {
    for (const key of Object.keys(value))
      if (!allowed.has(key)) this.error(code, below(path, key), `${shortName(key)} is not a field here`);
  }

  findings(): Findings {
    return {
      valid: this.#errors.length === 0,
      errors: this.#errors,
      warnings: this.#warnings,
      ...(this.#omitted > 0 && { omitted: this.#omitted }),
    };
  }

  #add(to: Issue[], level: Issue['level'], code: string, path: string | undefined, message: string): void {
    if (to.length >= MAX_FINDINGS) {
      this.#omitted += 1;
      return;
    }
    to.push({ level, code, message: cut(message), ...(path !== undefined && { path: cut(path) }) });
  }
}

/** The path of a member. Names that the document chose are cut before anything is built of them: each finding would copy them. */
export const below = (path: string, name: string): string => `${path}.${shortName(name)}`;

const shortName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

type Json_ = Readonly<Record<string, unknown>>;
