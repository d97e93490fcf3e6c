/**
 * Requests to one server elsewhere.
 *
 * R1. No redirect is followed: the token is for this address alone.
 * R2. The certificate is always checked, by Node's roots and NODE_EXTRA_CA_CERTS. NODE_TLS_REJECT_UNAUTHORIZED does not
 *     turn it off.
 * R3. A connection that is not made in time, or on which nothing moves for too long, is lost.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const CONNECT_MS = 10_000;
/** A server that works on a request sends a comment every 15 seconds, or its answer within its own deadline. */
const SILENT_MS = 75_000;
/** More than the requests that a server works on at the same time for one connection. */
const MAX_SOCKETS = 256;

export type Headers = Readonly<Record<string, string>>;

export interface Asked {
  /** The bytes have left, or never will. */
  readonly sent: Promise<void>;
  /** Rejects when there is no connection. */
  readonly answer: Promise<IncomingMessage>;
  cancel(): void;
}

export class Requests {
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #agent: HttpAgent;

  /** `headers` go with every request. */
  constructor(url: URL, headers: Headers) {
    this.#url = url;
    this.#headers = headers;
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#agent = url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  ask(method: 'GET' | 'POST' | 'DELETE', headers: Headers, body?: string): Asked {
    const secure = this.#url.protocol === 'https:';
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = (secure ? httpsRequest : httpRequest)(this.#url, {
      method,
      agent: this.#agent,
      headers: { ...this.#headers, ...headers, ...length },
      rejectUnauthorized: true,
    });
    limitConnecting(request, secure ? 'secureConnect' : 'connect');
    request.setTimeout(SILENT_MS, () => request.destroy(new Error('nothing came for too long')));
    const asked = {
      sent: new Promise<void>((resolve) => {
        request.once('finish', resolve).once('close', resolve);
      }),
      answer: new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        request.once('close', () => reject(new Error('the connection was closed')));
      }),
      cancel: () => void request.destroy(),
    };
    // Whoever waits for the answer sees it; nobody may.
    asked.answer.catch(() => undefined);
    request.end(body);
    return asked;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function limitConnecting(request: ClientRequest, connected: string): void {
  const timer = setTimeout(() => request.destroy(new Error('no connection in time')), CONNECT_MS);
  const stop = () => clearTimeout(timer);
  request.once('close', stop);
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(connected, stop);
    else stop();
  });
}
