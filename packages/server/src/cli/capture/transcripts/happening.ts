/** What a line of a transcript tells, whichever client wrote it. */
export type Happening =
  | { readonly kind: 'asked'; readonly text: string }
  | { readonly kind: 'answered'; readonly text: string }
  /** A tool was called that writes files or runs a command; whether it could, `returned` says. */
  | {
      readonly kind: 'called';
      readonly id: string;
      readonly files: readonly string[];
      readonly command?: string;
    }
  | { readonly kind: 'returned'; readonly id: string; readonly failed: boolean; readonly text: string }
  | { readonly kind: 'planned'; readonly items: readonly PlanItem[] };

export interface PlanItem {
  readonly text: string;
  readonly done: boolean;
}

/** What a line tells; undefined when it does not have the form of this client's lines at all. */
export type ReadTranscriptLine = (value: unknown) => readonly Happening[] | undefined;
