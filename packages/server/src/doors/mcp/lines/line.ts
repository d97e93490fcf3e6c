import { fixedLimits } from '../../../config/fixed-limits.js';
import { JsonScan } from '../../../platform/json/json-scan.js';
import { type JsonFlaw, scanFlaw } from '../../../platform/json/parse-bounded.js';
import type { BodyShare } from '../../../services/body-budget.js';
import { END_BYTES, idIn } from '../message-id.js';
import { MESSAGE_LIMITS } from '../open-message.js';

const EMPTY = Buffer.alloc(0);
const RETURN = 0x0d;
/** A piece costs that much, however short it is. */
const PIECE_BYTES = fixedLimits.mcpUnfinishedPieceBytes.value;
const NO_ROOM = 'came while the server held as many unfinished messages as it can; send it again in a moment';

export type LineShare = Pick<BodyShare, 'take' | 'release'>;

/** What has come of one line. */
export class Line {
  readonly scan = new JsonScan(MESSAGE_LIMITS);
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head = EMPTY;
  #tail = EMPTY;
  readonly #share: LineShare | undefined;
  /** What the kept pieces cost, and how much of that was taken from the share. */
  #cost = 0;
  #taken = 0;
  #givenUp: JsonFlaw | undefined;

  constructor(share?: LineShare) {
    this.#share = share;
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#head.length < END_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(0, END_BYTES)]);
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-END_BYTES)]).subarray(-END_BYTES);
    if (this.flaw || !this.scan.push(bytes)) this.#drop();
    else {
      this.#chunks.push(bytes);
      this.#cost += Math.max(bytes.length, PIECE_BYTES);
    }
  }

  /** It is not whole yet: what is kept of it counts from now on. */
  waits(): void {
    const more = this.#cost - this.#taken;
    if (!this.#share || more === 0) return;
    if (this.#share.take(more)) this.#taken = this.#cost;
    else this.giveUp(NO_ROOM);
  }

  /** What has come is not kept. The client is told when the line ends. */
  giveUp(message: string): void {
    this.#givenUp = { kind: 'bytes', message };
    this.#drop();
  }

  /** Nothing of it counts any more. */
  release(): void {
    this.#share?.release();
  }

  #drop(): void {
    this.#chunks.length = 0;
    this.#cost = 0;
    this.#taken = 0;
    this.release();
  }

  /** Nothing in it can be a message. */
  get isBlank(): boolean {
    return this.#size <= 1;
  }

  /** Why it is not kept. */
  get flaw(): JsonFlaw | undefined {
    return this.#givenUp ?? scanFlaw(this.scan, this.#size, MESSAGE_LIMITS);
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
