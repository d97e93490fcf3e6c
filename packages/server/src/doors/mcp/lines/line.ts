import { JsonScan } from '../../../platform/json/json-scan.js';
import { scanFlaw } from '../../../platform/json/parse-bounded.js';
import { END_BYTES, idIn } from '../message-id.js';
import { MESSAGE_LIMITS } from '../open-message.js';

const EMPTY = Buffer.alloc(0);
const RETURN = 0x0d;

/** What has come of one line. */
export class Line {
  readonly scan = new JsonScan(MESSAGE_LIMITS);
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head = EMPTY;
  #tail = EMPTY;

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#head.length < END_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(0, END_BYTES)]);
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-END_BYTES)]).subarray(-END_BYTES);
    if (this.flaw || !this.scan.push(bytes)) this.#chunks.length = 0;
    else this.#chunks.push(bytes);
  }

  /** Why it is not kept. */
  get flaw() {
    return scanFlaw(this.scan, this.#size, MESSAGE_LIMITS);
  }

  /** Where it can be told without parsing. */
  get id(): string | number | undefined {
    return idIn(this.#head.toString('latin1'), this.#tail.toString('latin1'));
  }

  bytes(): Uint8Array {
    const bytes =
      this.#chunks.length === 1 ? (this.#chunks[0] ?? EMPTY) : Buffer.concat(this.#chunks, this.#size);
    return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  }
}
