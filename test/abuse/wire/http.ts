/** Requests of an attacker: raw bodies, and whatever happens is an answer. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Answer {
  /** 0: there was none. */
  readonly status: number;
  /** `OK`, the code of the refusal, or how the connection failed. */
  readonly code: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly ms: number;
  /** At most the first 20 MB. */
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeoutMs?: number;
}

/** Limits by address must not hit the well-behaved client, which comes from another one. */
export const ATTACKER_ADDRESS = '127.0.0.66';
const KEPT_CHARACTERS = 20_000_000;
const KEPT_END = 1_000;

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export type Ask = (url: string, asked?: Asked) => Promise<Answer>;

/** Requests that come from this address. */
export function requester(localAddress: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, localAddress });
  return (url, { method = 'GET', headers = {}, body, timeoutMs = 120_000 } = {}) => {
    const started = performance.now();
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve) => {
      const failed = ({ code = 'FAILED' }: NodeJS.ErrnoException) =>
        resolve({ status: 0, code, headers: {}, bytes: 0, ms: performance.now() - started, text: '' });
      const sent = request(
        url,
        { method, agent, headers: { ...json, ...length, ...headers } },
        (response) => {
          readAnswer(response, started).then(resolve, failed);
        },
      );
      sent.setTimeout(timeoutMs, () => sent.destroy(Object.assign(new Error(), { code: 'NO_ANSWER' })));
      sent.on('error', failed);
      sent.end(body);
    });
  };
}

export const ask: Ask = requester(ATTACKER_ADDRESS);

export const post = (url: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  ask(url, { method: 'POST', body, headers });

async function readAnswer(response: IncomingMessage, started: number): Promise<Answer> {
  let text = '';
  let end = '';
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (text.length < KEPT_CHARACTERS) text += String(chunk);
    end = (end + String(chunk)).slice(-KEPT_END);
  }
  const { statusCode: status = 0, headers } = response;
  const ms = performance.now() - started;
  return { status, code: codeOf(status, text, end), headers, bytes, ms, text };
}

const REFUSED = /"isError":true|"ok":false|"error":\{"code"/;

/** The code of a refusal, in any of the forms of the doors. */
function codeOf(status: number, text: string, end: string): string {
  if (status < 400 && !REFUSED.test(text.slice(0, 1_000)) && !REFUSED.test(end)) return 'OK';
  const word = /"(?:errorCode|code)\\?":\s*\\?"([A-Z_]+)/.exec(text)?.[1];
  return word ?? /"error":\{"code":(-?\d+)/.exec(text)?.[1] ?? `HTTP ${status}`;
}
