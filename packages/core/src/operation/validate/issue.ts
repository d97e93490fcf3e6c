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
}

export class Issues {
  readonly #errors: Issue[] = [];
  readonly #warnings: Issue[] = [];

  error(code: string, path: string | undefined, message: string): void {
    this.#errors.push({ level: 'error', code, message, ...(path !== undefined && { path }) });
  }

  warn(code: string, path: string | undefined, message: string): void {
    this.#warnings.push({ level: 'warning', code, message, ...(path !== undefined && { path }) });
  }

  /** One error for each key that does not belong there. */
  onlyKeys(value: Json_, allowed: ReadonlySet<string>, code: string, path: string): void {
    for (const key of Object.keys(value))
      if (!allowed.has(key)) this.error(code, `${path}.${key}`, `${key} is not a field here`);
  }

  findings(): Findings {
    return { valid: this.#errors.length === 0, errors: this.#errors, warnings: this.#warnings };
  }
}

type Json_ = Readonly<Record<string, unknown>>;
