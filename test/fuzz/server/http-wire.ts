/** HTTP by hand, one connection for each exchange, so that a case decides about every byte. */
import { connect } from 'node:net';

export interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly timedOut: boolean;
}

export interface Exchange {
  readonly bytes: Uint8Array;
  /** The client hangs up after so long, whatever has come. */
  readonly hangUpMs?: number;
  /** The client says that it will send nothing more. */
  readonly halfClose?: boolean;
}

const TIMEOUT_MS = 15_000;
/** A stream of events does not end by itself. */
const STREAM_MS = 150;
const MAX_BODY = 4 * 1_048_576;

export function exchange(base: URL, { bytes, hangUpMs, halfClose = false }: Exchange): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    let streaming: NodeJS.Timeout | undefined;
    const socket = connect(Number(base.port), base.hostname);
    const timer = setTimeout(() => {
      timedOut = hangUpMs === undefined;
      socket.destroy();
    }, hangUpMs ?? TIMEOUT_MS);
    socket.on('connect', () => {
      socket.write(bytes);
      if (halfClose) socket.end();
    });
    socket.on('data', (chunk) => {
      size += chunk.length;
      if (size < MAX_BODY) chunks.push(chunk);
      if (isStream(chunks[0])) streaming ??= setTimeout(() => socket.destroy(), STREAM_MS);
    });
    // A close follows every error.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(streaming);
      resolve({ ...parsed(Buffer.concat(chunks)), timedOut });
    });
  });
}

const isStream = (first: Buffer | undefined): boolean => first?.includes('text/event-stream') === true;

function parsed(bytes: Buffer): Omit<Answer, 'timedOut'> {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, Math.max(0, end)).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  const rest = bytes.subarray(end + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest;
  return { status, headers, body: end < 0 ? '' : body.toString() };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  return Buffer.concat(parts);
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  readonly framing?: 'length' | 'chunked';
}

export function requestBytes(
  base: URL,
  { method, path, headers, body, framing = 'length' }: Request,
): Uint8Array {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const own: [string, string][] = [];
  if (!given.has('host')) own.push(['Host', base.host]);
  if (!given.has('connection')) own.push(['Connection', 'close']);
  if (body && framing === 'chunked') own.push(['Transfer-Encoding', 'chunked']);
  else if (body && !given.has('content-length')) own.push(['Content-Length', String(body.length)]);
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (!body) return head;
  return Buffer.concat([head, framing === 'chunked' ? chunked(body) : body]);
}

function chunked(body: Uint8Array): Buffer {
  const half = Math.floor(body.length / 2);
  const parts = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  const framed = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}
