/**
 * Messages line by line over a pair of streams, bounded before they are kept, and opened before the SDK sees them.
 *
 * T1. A line that is too long or holds too much is dropped as it arrives, and answered with an error under its id where
 *     that can be told without parsing.
 * T2. Lines are delivered in order. While a large one is being opened, no more is read.
 * T3. A line has its turn among those of all connections (shared-lines.ts). Too many in a minute that hold no message end the
 *     connection.
 * T4. While the client has not taken what was written, or has too many requests under way, or there is no room for what it
 *     asks for, no more is read.
 * T5. A request whose id is under way is refused.
 * T6. What is kept of a line that is not whole counts, for its caller and in all, and is kept for a bounded time. Beyond
 *     that the line is dropped like one that is too long.
 */
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { Bucket } from '../../../auth/rate-limiter.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { JsonScan } from '../../../platform/json/json-scan.js';
import type { AnswerPlace } from '../../../services/answer-room.js';
import { RpcCode } from '../http/json-rpc-answer.js';
import { type Opened, refused } from '../open-message.js';
import { answeredBy, cancelledBy, RequestsUnderWay, sameIdSentence } from '../requests-under-way.js';
import type { Line, LineShare } from './line.js';
import { LineOutput } from './line-output.js';
import { LineReader } from './line-reader.js';
import { SharedLines, unlessAtOnce } from './shared-lines.js';

type Open = (bytes: Uint8Array, scan: JsonScan) => Opened | Promise<Opened>;

export interface LineTransportOptions {
  readonly stalledMs?: number;
  /** Where lines that are not whole count. */
  readonly share?: LineShare;
  /** Of all connections. */
  readonly lines?: SharedLines;
  /** Whose turn it is. */
  readonly caller?: () => string;
  /** How many bytes the answer of a request may have; 0: it does not count. */
  readonly answerBytes?: (request: JSONRPCRequest) => number;
}

const REFUSED_LINES = fixedLimits.mcpRefusedLines.value;
const TOO_MANY_REFUSED = `Invalid Request: more than ${REFUSED_LINES} lines in a minute were empty or refused; the connection is closed`;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #open: Open;
  readonly #reader: LineReader;
  readonly #writer: LineOutput;
  readonly #lines: SharedLines;
  readonly #options: LineTransportOptions;
  readonly #underWay = new RequestsUnderWay();
  /** Those of the requests under way whose answers count. */
  readonly #places = new Map<RequestId, AnswerPlace>();
  /** Lines without a message: empty ones, and those that are refused. */
  readonly #refused = new Bucket(REFUSED_LINES, 1);
  #wake: (() => void) | undefined;
  #giveUp: (() => void) | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable, open: Open, options: LineTransportOptions = {}) {
    const { stalledMs, share, lines = new SharedLines() } = options;
    this.#lines = lines;
    this.#options = options;
    this.#input = input;
    this.#output = output;
    this.#open = open;
    this.#reader = new LineReader(input, {
      pace: () => this.#pace(),
      take: (line) => this.#take(line),
      ...(share && { share }),
    });
    const onTaken = () => this.#wake?.();
    const isCrowded = () => lines.room.crowded;
    this.#writer = new LineOutput(output, {
      onTaken,
      isCrowded,
      ...(stalledMs !== undefined && { stalledMs }),
    });
  }

  async start(): Promise<void> {
    this.#reader.start();
    this.#input.on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onError);
    this.#output.on('error', this.#onError);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    const id = answeredBy(message);
    const place = id === undefined ? undefined : this.#places.get(id);
    // It counts until the client has taken it.
    if (id !== undefined) this.#places.delete(id);
    this.#ended(id);
    return this.#writer.write(message, place);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.stop();
    this.#writer.release();
    // The listener for errors of the output stays: what was written before may still fail.
    this.#input.off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onError);
    this.#wake?.();
    for (const id of [...this.#places.keys()]) this.#leave(id);
    this.#giveUp?.();
    this.onclose?.();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  #pace(): Promise<void> | undefined {
    return this.#hasRoom() ? undefined : this.#madeRoom();
  }

  async #madeRoom(): Promise<void> {
    while (!this.#hasRoom() && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #hasRoom(): boolean {
    return this.#writer.hasRoom && this.#underWay.hasRoom();
  }

  #take(line: Line): Promise<void> | undefined {
    const turn = this.#turn(!line.isBlank && line.flaw === undefined);
    return turn ? turn.then(() => this.#takeWithRoom(line)) : this.#look(line);
  }

  /** Answers may have been written while it waited for its turn. */
  async #takeWithRoom(line: Line): Promise<void> {
    while (!this.#hasRoom() && !this.#closed) {
      await this.#madeRoom();
      await this.#turn(true);
    }
    await this.#look(line);
  }

  #turn(holdsMessage: boolean): Promise<void> | undefined {
    return this.#lines.turn(this.#caller, holdsMessage);
  }

  readonly #caller = (): string => this.#options.caller?.() ?? '';

  #look(line: Line): Promise<void> | undefined {
    if (this.#closed) return undefined;
    const opened = this.#opened(line);
    if (!(opened instanceof Promise)) return this.#deliver(line, opened);
    // The thread may have opened those of many connections meanwhile.
    return opened.then(async (one) => {
      await this.#turn(true);
      await this.#deliver(line, one);
    });
  }

  /** Undefined: the line is empty. */
  #opened(line: Line): Opened | Promise<Opened> | undefined {
    const { flaw } = line;
    if (flaw) return refused(flaw);
    const bytes = line.bytes();
    return bytes.length === 0 ? undefined : this.#open(bytes, line.scan);
  }

  #deliver(line: Line, opened: Opened | undefined): Promise<void> | undefined {
    if (this.#closed) return undefined;
    const message = opened && 'message' in opened ? this.#message(opened.message) : undefined;
    if (message) return this.#begin(message);
    if (opened && 'refusal' in opened) this.#refuse(opened.refusal, line.id);
    if (this.#refused.check('', performance.now()).allowed) return undefined;
    this.#refuse({ code: RpcCode.Invalid, message: TOO_MANY_REFUSED }, undefined);
    void this.close();
    return undefined;
  }

  /** Undefined: it is no message, or is refused. */
  #message(opened: unknown): JSONRPCMessage | undefined {
    try {
      const message = parseJSONRPCMessage(opened);
      if (!isJSONRPCRequest(message) || this.#underWay.begin(message.id)) return message;
      this.#refuse({ code: RpcCode.Invalid, message: sameIdSentence(message.id) }, message.id);
    } catch (thrown) {
      this.#failed(thrown);
    }
    return undefined;
  }

  /** When there is room for its answer; if that took time, in a turn of its own. */
  #begin(message: JSONRPCMessage): Promise<void> | undefined {
    const bytes = isJSONRPCRequest(message) ? (this.#options.answerBytes?.(message) ?? 0) : 0;
    const room = isJSONRPCRequest(message) && bytes > 0 ? this.#place(message.id, bytes) : undefined;
    if (!room) return this.#handOn(message);
    return room.then(async () => {
      await this.#turn(true);
      this.#handOn(message);
    });
  }

  #place(id: RequestId, bytes: number): Promise<void> | undefined {
    return unlessAtOnce((begin) => {
      const place = this.#lines.place(this.#caller(), bytes, begin);
      this.#places.set(id, place);
      // The reader that waits for it goes on when the connection has ended, too.
      this.#giveUp = begin;
      place.enter();
    });
  }

  #handOn(message: JSONRPCMessage): undefined {
    if (this.#closed) return;
    try {
      this.#ended(cancelledBy(message));
      this.onmessage?.(message);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #failed(thrown: unknown): void {
    this.onerror?.(thrown instanceof Error ? thrown : new Error('not a message'));
  }

  #ended(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.#leave(id);
    this.#underWay.end(id);
    this.#wake?.();
  }

  #leave(id: RequestId): void {
    this.#places.get(id)?.leave();
    this.#places.delete(id);
  }

  #refuse(error: { readonly code: number; readonly message: string }, id: RequestId | undefined): void {
    const { code, message } = error;
    // Nobody waits for it: when it cannot be written, the stream has failed, and that is handled.
    this.#writer.write({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }).catch(() => {});
  }
}
