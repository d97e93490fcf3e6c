/**
 * Cuts a stream of server-sent events into the texts that they carry. Ends of lines are LF, CR or CRLF, as the format
 * has them; an event that is not whole is never passed on.
 */
export interface StreamEvent {
  readonly data: string;
  /** Where to go on after a lost connection; absent when the server keeps nothing. */
  readonly id?: string;
}

const LF = 0x0a;
const CR = 0x0d;

export class EventSplitter {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #afterCr = false;
  #data: string[] = [];
  #dataBytes = 0;
  #id: string | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The events that this piece ends; undefined when one of them holds more than it may. */
  take(piece: Buffer): readonly StreamEvent[] | undefined {
    const events: StreamEvent[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte !== LF && byte !== CR) {
        this.#afterCr = false;
        continue;
      }
      const endsBefore = byte === LF && this.#afterCr;
      this.#afterCr = byte === CR;
      if (!endsBefore) this.#line(this.#lineUpTo(piece.subarray(from, at)), events);
      from = at + 1;
    }
    this.#hold(piece.subarray(from));
    return this.#heldBytes + this.#dataBytes > this.#maxBytes ? undefined : events;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #lineUpTo(last: Buffer): string {
    const line = Buffer.concat([...this.#held, last]).toString('utf8');
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }

  #line(line: string, events: StreamEvent[]): void {
    if (line === '') {
      const data = this.#data.join('\n');
      if (data !== '' || this.#id !== undefined)
        events.push({ data, ...(this.#id !== undefined && { id: this.#id }) });
      this.#data = [];
      this.#dataBytes = 0;
      this.#id = undefined;
      return;
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') {
      this.#data.push(value);
      // With the line break that joins it to the next: lines without a character take room, too.
      this.#dataBytes += value.length + 1;
    }
    if (field === 'id' && !value.includes('\0')) this.#id = value;
  }
}
