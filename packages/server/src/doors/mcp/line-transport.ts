/**
 * Messages line by line over a pair of streams, bounded before they are kept, and opened before the SDK sees them.
 *
 * T1. A line that is too long or holds too much is dropped as it arrives, and answered with an error under its id where
 *     that can be told without parsing.
 * T2. Lines are delivered in order. While a large one is being opened, no more is read.
 */
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { JsonScan } from '../../platform/json/json-scan.js';
import { scanFlaw } from '../../platform/json/parse-bounded.js';
import { idIn } from './message-id.js';
import { MESSAGE_LIMITS, type MessageRefusal, type Opened, refused } from './open-message.js';

type Open = (bytes: Uint8Array, scan: JsonScan) => Opened | Promise<Opened>;

const NEWLINE = 0x0a;
/** Kept of both ends of a line that is dropped. */
const END_BYTES = 256;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #open: Open;
  readonly #waiting: Buffer[] = [];
  #line = new Line();
  #busy = false;
  #closed = false;

  constructor(input: Readable, output: Writable, open: Open) {
    this.#input = input;
    this.#output = output;
    this.#open = open;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
    this.#input.on('error', this.#onError);
    this.#output.on('error', this.#onError);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#input.off('error', this.#onError);
    // The listener for errors of the output stays: what was written before may still fail.
    this.#input.pause();
    this.#waiting.length = 0;
    this.#line = new Line();
    this.onclose?.();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#waiting.push(chunk);
    if (!this.#busy) void this.#drain();
  };

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let chunk = this.#waiting.shift(); chunk; chunk = this.#waiting.shift()) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        this.#line.add(chunk.subarray(from, at));
        from = at + 1;
        const opened = this.#opened();
        if (opened instanceof Promise) {
          this.#input.pause();
          this.#deliver(await opened);
          this.#input.resume();
        } else this.#deliver(opened);
        if (this.#closed) return;
      }
      this.#line.add(chunk.subarray(from));
    }
    this.#busy = false;
  }

  /** The line that is complete. Undefined: it is empty, or was refused. */
  #opened(): Opened | Promise<Opened> | undefined {
    const line = this.#line;
    this.#line = new Line();
    const flaw = line.flaw;
    if (flaw) {
      this.#refuse(refused(flaw).refusal, line);
      return undefined;
    }
    const bytes = line.bytes();
    if (bytes.length === 0) return undefined;
    const opened = this.#open(bytes, line.scan);
    const answered = (one: Opened): Opened | undefined => {
      if (!('refusal' in one)) return one;
      this.#refuse(one.refusal, line);
      return undefined;
    };
    return opened instanceof Promise ? (opened.then(answered) as Promise<Opened>) : answered(opened);
  }

  #deliver(opened: Opened | undefined): void {
    if (!opened || !('message' in opened) || this.#closed) return;
    try {
      this.onmessage?.(parseJSONRPCMessage(opened.message));
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error('not a message'));
    }
  }

  #refuse({ code, message }: MessageRefusal, line: Line): void {
    const id = idIn(line.head, line.tail);
    const answer = { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
    if (!this.#closed) this.#output.write(`${JSON.stringify(answer)}\n`);
  }
}

/** What has come of one line. */
class Line {
  readonly scan = new JsonScan(MESSAGE_LIMITS);
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

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

  get head(): string {
    return this.#head.toString('latin1');
  }

  get tail(): string {
    return this.#tail.toString('latin1');
  }

  bytes(): Uint8Array {
    const bytes =
      this.#chunks.length === 1 ? (this.#chunks[0] ?? EMPTY) : Buffer.concat(this.#chunks, this.#size);
    return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
  }
}

const EMPTY = Buffer.alloc(0);
const RETURN = 0x0d;
