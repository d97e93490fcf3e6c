/** Where something differs from what was written, and how. Never contains a payload. */
export interface Flaw {
  /** Entry of the stream, where one can be named. */
  readonly seq?: number;
  /** Place in a document, such as `entries[3].envelope.sender`. */
  readonly path?: string;
  readonly what: string;
}
