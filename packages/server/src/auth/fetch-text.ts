/**
 * One GET of a small text from an address the operator configured. It follows no redirect (the address is a promise
 * about who answers), reads no more than it was told to, and has a time limit for connecting and one for the whole.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface FetchTextLimits {
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxBytes: number;
}

export function fetchText(url: URL, limits: FetchTextLimits): Promise<string> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(url, {
      agent: false,
      headers: { accept: 'application/json' },
    });
    const stop = (reason: string) => request.destroy(new Error(reason));
    const connecting = setTimeout(() => stop('no connection in time'), limits.connectTimeoutMs);
    const whole = setTimeout(() => stop('no complete answer in time'), limits.totalTimeoutMs);
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    request.once('close', () => {
      clearTimeout(connecting);
      clearTimeout(whole);
      // After an answer this does nothing; without one nothing else settles the promise.
      reject(new Error('the connection closed before the answer was complete'));
    });
    request.once('error', reject);
    request.once('response', (response) => readBody(request, response, limits.maxBytes, resolve));
    request.end();
  });
}

function readBody(
  request: ClientRequest,
  response: IncomingMessage,
  maxBytes: number,
  done: (text: string) => void,
): void {
  if (response.statusCode !== 200) {
    request.destroy(new Error(`answered ${response.statusCode ?? 'without a status'} instead of 200`));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) request.destroy(new Error(`answered more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  response.once('end', () => {
    if (response.complete && size <= maxBytes) done(Buffer.concat(chunks).toString('utf8'));
  });
}
