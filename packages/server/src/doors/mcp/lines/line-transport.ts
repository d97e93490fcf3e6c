/**
 * Messages line by line over a pair of streams, bounded before they are kept, and opened before the SDK sees them.
 *
 * T1. A line that is too long or holds too much is dropped as it arrives, and answered with an error under its id where
 *     that can be told without parsing.
 * T2. Lines are delivered in order. While a large one is being opened, no more is read.
 * T3. One turn of the loop takes one message, or a bounded number of lines that hold none. Too many of those in a
 *     minute end the connection.
 * T4. While the client has not taken what was written, or has too many requests under way, no more is read.
 * T5. A request whose id is under way is refused.
 * T6. What is kept of a line that is not whole counts, for its caller and in all, and is kept for a bounded time. Beyond
 *     that the line is dropped like one that is too long.
 */
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { Bucket } from '../../../auth/rate-limiter.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { JsonScan } from '../../../platform/json/json-scan.js';
import { RpcCode } from '../http/json-rpc-answer.js';
import { type Opened, refused } from '../open-message.js';
import { answeredBy, cancelledBy, RequestsUnderWay, sameIdSentence } from '../requests-under-way.js';
import type { Line, LineShare } from './line.js';
import { LineOutput } from './line-output.js';
import { LineReader } from './line-reader.js';

type Open = (bytes: Uint8Array, scan: JsonScan) => Opened | Promise<Opened>;

export interface LineTransportOptions {
  readonly stalledMs?: number;
  /** Where lines that are not whole count. */
  readonly share?: LineShare;
}

const LINES_PER_TURN = fixedLimits.mcpLinesPerTurn.value;
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
  readonly #underWay = new RequestsUnderWay();
  /** Lines without a message: empty ones, and those that are refused. */
  readonly #refused = new Bucket(REFUSED_LINES, 1);
  #linesThisTurn = 0;
  #wake: (() => void) | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable, open: Open, options: LineTransportOptions = {}) {
    const { stalledMs, share } = options;
    this.#input = input;
    this.#output = output;
    this.#open = open;
    this.#reader = new LineReader(input, {
      pace: () => this.#pace(),
      take: (line) => this.#take(line),
      ...(share && { share }),
    });
    const onTaken = () => this.#wake?.();
    this.#writer = new LineOutput(output, { onTaken, ...(stalledMs !== undefined && { stalledMs }) });
  }

  async start(): Promise<void> {
    this.#reader.start();
    this.#input.on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onError);
    this.#output.on('error', this.#onError);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the connection is closed'));
    this.#ended(answeredBy(message));
    return this.#writer.write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.stop();
    this.#writer.release();
    // The listener for errors of the output stays: what was written before may still fail.
    this.#input.off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onError);
    this.#wake?.();
    this.onclose?.();
  }

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  #pace(): Promise<void> | undefined {
    return this.#linesThisTurn < LINES_PER_TURN && this.#hasRoom() ? undefined : this.#turn();
  }

  /** Until the next turn, and until there is room. */
  async #turn(): Promise<void> {
    await nextTurn();
    this.#linesThisTurn = 0;
    while (!this.#hasRoom() && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #hasRoom(): boolean {
    return this.#writer.hasRoom && this.#underWay.hasRoom();
  }

  #take(line: Line): Promise<void> | undefined {
    const opened = this.#opened(line);
    if (opened instanceof Promise) return opened.then((one) => this.#deliver(line, one));
    this.#deliver(line, opened);
    return undefined;
  }

  /** Undefined: the line is empty. */
  #opened(line: Line): Opened | Promise<Opened> | undefined {
    const { flaw } = line;
    if (flaw) return refused(flaw);
    const bytes = line.bytes();
    return bytes.length === 0 ? undefined : this.#open(bytes, line.scan);
  }

  #deliver(line: Line, opened: Opened | undefined): void {
    if (this.#closed) return;
    this.#linesThisTurn += 1;
    if (opened && 'message' in opened && this.#isDelivered(opened.message)) {
      // The SDK works on it before the next turn.
      this.#linesThisTurn = LINES_PER_TURN;
      return;
    }
    if (opened && 'refusal' in opened) this.#refuse(opened.refusal, line.id);
    if (this.#refused.check('', performance.now()).allowed) return;
    this.#refuse({ code: RpcCode.Invalid, message: TOO_MANY_REFUSED }, undefined);
    void this.close();
  }

  /** False: it is no message, or is refused. */
  #isDelivered(opened: unknown): boolean {
    try {
      const message = parseJSONRPCMessage(opened);
      if (isJSONRPCRequest(message) && !this.#underWay.begin(message.id)) {
        this.#refuse({ code: RpcCode.Invalid, message: sameIdSentence(message.id) }, message.id);
        return false;
      }
      this.#ended(cancelledBy(message));
      this.onmessage?.(message);
      return true;
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error('not a message'));
      return false;
    }
  }

  #ended(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.#underWay.end(id);
    this.#wake?.();
  }

  #refuse(error: { readonly code: number; readonly message: string }, id: RequestId | undefined): void {
    const { code, message } = error;
    // Nobody waits for it: when it cannot be written, the stream has failed, and that is handled.
    this.#writer.write({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }).catch(() => {});
  }
}
