/** The pipe to a server elsewhere, in this process: both of its ends, its clock and its server are in the test's hand. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { LastingPipe, type PipeEnd } from '../../packages/server/src/cli/pipe/lasting-pipe.js';
import { RemoteJoin } from '../../packages/server/src/cli/remote/join-remote.js';
import { serverAddress } from '../../packages/server/src/cli/remote/server-address.js';
import { until } from '../kit/until.js';

export interface Heard {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (heard: Heard, response: ServerResponse) => void;

/** A server that says what the test wants, on a port that it keeps when it goes away. */
export class ScriptedServer {
  readonly heard: Heard[] = [];
  answer: Answer;
  #server: Server | undefined;
  #port = 0;

  constructor(answer: Answer) {
    this.answer = answer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What was posted, parsed where it can be. */
  get posted(): readonly string[] {
    return this.heard.filter(({ method }) => method === 'POST').map(({ body }) => body);
  }

  async open(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const { url = '', method = '', headers } = request;
      const heard = { url, method, headers, body: Buffer.concat(pieces).toString() };
      this.heard.push(heard);
      this.answer(heard, response);
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }
}

export const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** As the door refuses a stream to whoever has no session. */
export const isThere = (response: ServerResponse): void => json(response, 400, { error: 'no session' });

/** Answers every request of the newer era at once. */
export const echo: Answer = ({ method, body }, response) => {
  if (method === 'GET') return isThere(response);
  const { id } = JSON.parse(body);
  if (id === undefined) return void response.writeHead(202).end();
  json(response, 200, { jsonrpc: '2.0', id, result: {} });
};

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** A request of the newer era, as a line. */
export const request = (id: number, method = 'ping', params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
type Wire = any;

export interface OpenPipe {
  say(...lines: readonly string[]): void;
  readonly lines: readonly Wire[];
  readonly raw: () => string;
  answerTo(id: number): Promise<Wire>;
  readonly notes: readonly string[];
  /** How long it would have waited, in order. */
  readonly waits: readonly number[];
  readonly output: PassThrough;
  /** So much time is over. */
  pass(ms: number): void;
  /** How it ended, or why it failed. */
  readonly ended: Promise<PipeEnd | Error>;
  leave(): Promise<PipeEnd | Error>;
}

export interface PipeSetUp {
  readonly bearer?: () => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with each wait; time passes as it says, at once. */
  readonly onWait?: (ms: number) => Promise<void> | void;
  readonly readNothing?: boolean;
}

export function openPipe(url: string, setUp: PipeSetUp = {}): OpenPipe {
  const { bearer = () => 'secret-token', headers = {}, onWait, readNothing = false } = setUp;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notes: string[] = [];
  const waits: number[] = [];
  let passed = 0;
  const clock = {
    now: () => performance.now() + passed,
    random: () => 0.5,
    pause: async (ms: number) => {
      waits.push(ms);
      passed += ms;
      await onWait?.(ms);
    },
  };
  const remote = new RemoteJoin({
    ...{ address: serverAddress(url), bearer, clock, tokenRefused: 'the token is refused' },
    headers: () => headers,
  });
  const join = () => remote.join();
  const note = (text: string) => void notes.push(text);
  const ended = new LastingPipe({ input, output, join, note, lost: 'lost' }).run().catch((thrown) => thrown);
  let seen = '';
  if (!readNothing)
    output.on('data', (piece: Buffer) => {
      seen += piece.toString();
    });
  const linesOf = () =>
    seen
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return {
    say: (...lines) => void input.write(lines.map((line) => `${line}\n`).join('')),
    get lines() {
      return linesOf();
    },
    raw: () => seen,
    answerTo: (id) => until(() => linesOf().find((line) => line.id === id)),
    ...{ notes, waits, output, ended },
    pass: (ms) => {
      passed += ms;
    },
    leave: () => {
      input.end();
      return ended;
    },
  };
}
