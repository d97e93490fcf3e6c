/**
 * One line of the client as one POST, and what becomes of it.
 *
 * P1. A request gets one answer: the server's, or an error that says why there is none. Lines are passed as they are.
 * P2. 429: the same line again when the server says, as long as that takes no more than half a minute in all.
 * P3. Without a connection, or with an answer that says that the server or the session is gone, it rejects: the line
 *     must be said again to whoever is joined next. So does an answer that ends before its end.
 */
import type { IncomingMessage } from 'node:http';
import { isFields } from '@handover/core';
import { bodyOf, oneLine, scopesAsked, sentenceIn } from './answer-text.js';
import { headersOf, jsonId, type MessageHead, parsed } from './message-head.js';
import { isStream, readMessages } from './message-stream.js';
import type { Asked, Headers, Requests } from './requests.js';
import { retryAfterMs } from './retry-after.js';

export interface PostOptions {
  readonly requests: Requests;
  /** The server, for people. */
  readonly shown: string;
  /** Of the session, where there is one. */
  readonly sessionHeaders: Headers;
  line(line: string): void;
  /** Answers can be paused while they are here. */
  readonly answers: Set<IncomingMessage>;
  readonly pause: Pause;
}

/** Rejects when it is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

const MAX_WAIT_MS = 30_000;
export const MAX_MESSAGE_BYTES = 64 * 1_048_576;
const INTERNAL = -32_603;
const POST_HEADERS: Headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
/** The server is not there, or starts again. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

export class Post {
  readonly head: MessageHead;
  /** The bytes have left, or never will. */
  readonly sent: Promise<void>;
  /** Of the answer, when it is there. */
  answerHeaders: IncomingMessage['headers'] = {};
  readonly #line: string;
  readonly #options: PostOptions;
  readonly #gone = new AbortController();
  #asked: Asked;
  #answered = false;
  #cancelled = false;

  constructor(line: string, head: MessageHead, options: PostOptions) {
    this.#line = line;
    this.head = head;
    this.#options = options;
    this.#asked = this.#ask();
    this.sent = this.#asked.sent;
  }

  /** Somebody waits for its answer. */
  get awaited(): boolean {
    return !this.#cancelled;
  }

  /** Nobody waits for its answer any more; the server may still send it, or end. */
  forget(): void {
    this.#cancelled = true;
  }

  /** Cuts its connection. */
  cancel(): void {
    this.#cancelled = true;
    this.#gone.abort();
    this.#asked.cancel();
  }

  async run(): Promise<void> {
    try {
      await this.#take(await this.#admitted());
    } catch (thrown) {
      if (!this.#cancelled) throw thrown;
    }
    if (!this.#answered && !this.#cancelled && this.head.id !== undefined)
      throw new Error('the answer did not come');
  }

  #ask(): Asked {
    const { requests, sessionHeaders } = this.#options;
    return requests.ask('POST', { ...POST_HEADERS, ...sessionHeaders, ...headersOf(this.head) }, this.#line);
  }

  async #admitted(): Promise<IncomingMessage> {
    let waited = 0;
    for (;;) {
      const answer = await this.#asked.answer;
      const wait = answer.statusCode === 429 ? retryAfterMs(answer) : undefined;
      if (wait === undefined || waited + wait > MAX_WAIT_MS) return answer;
      waited += wait;
      answer.resume();
      await this.#options.pause(wait, this.#gone.signal);
      this.#asked = this.#ask();
    }
  }

  async #take(answer: IncomingMessage): Promise<void> {
    const { answers, sessionHeaders } = this.#options;
    const status = answer.statusCode ?? 0;
    const inSession = sessionHeaders['mcp-session-id'] !== undefined;
    if (AWAY.has(status) || status === 401 || (status === 404 && inSession)) {
      this.#asked.cancel();
      throw new Error('not there');
    }
    this.answerHeaders = answer.headers;
    answers.add(answer);
    try {
      if (status === 200 && isStream(answer))
        await readMessages(answer, MAX_MESSAGE_BYTES, { line: (line) => this.#pass(line) });
      else await this.#takeBody(answer, status);
    } finally {
      answers.delete(answer);
    }
  }

  async #takeBody(answer: IncomingMessage, status: number): Promise<void> {
    const body = await bodyOf(answer, MAX_MESSAGE_BYTES);
    const { id, method } = this.head;
    const message = body === undefined ? undefined : parsed(body);
    const isMessage = Array.isArray(message) || (isFields(message) && message.jsonrpc === '2.0');
    const own = isFields(message) && id !== undefined && jsonId(message.id) === id;
    // What was no message has no id either: its refusal is passed as it is.
    if (body !== undefined && isMessage && (own || (id === undefined && method === undefined)))
      return this.#pass(oneLine(body));
    if (id === undefined) return;
    const code = isFields(message) && isFields(message.error) ? message.error.code : undefined;
    const error = {
      code: typeof code === 'number' ? code : INTERNAL,
      message: this.#refusal(answer, status, body),
    };
    this.#pass(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
  }

  #refusal(answer: IncomingMessage, status: number, body: string | undefined): string {
    const { shown } = this.#options;
    if (body === undefined) return `${shown} sent an answer that is too large`;
    if (status >= 300 && status < 400) return `${shown} answers with a redirect, which is not followed`;
    const sentence = sentenceIn(body) ?? `${shown} answered ${status}, and not as a server of MCP does`;
    const scopes = scopesAsked(answer);
    return scopes === undefined || sentence.includes(scopes) ? sentence : `${sentence} (scopes: ${scopes})`;
  }

  #pass(line: string): void {
    const message = parsed(line);
    if (isFields(message) && typeof message.method !== 'string' && jsonId(message.id) === this.head.id)
      this.#answered = true;
    this.#options.line(line);
  }
}
