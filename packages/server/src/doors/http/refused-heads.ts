/**
 * Requests that Node refuses before the app sees them: a head that is too long, comes too slowly or is no HTTP. Node's own
 * answers have no body; these say what to do.
 */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type RawAnswer, rawAnswer } from './raw-answer.js';

const NOT_HTTP: RawAnswer = {
  status: 400,
  reason: 'Bad Request',
  code: 'BAD_REQUEST',
  message: 'this is not a well-formed HTTP request',
};
const REFUSALS: Readonly<Record<string, RawAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    code: 'HEADERS_TOO_LARGE',
    message: `the headers of a request have at most ${fixedLimits.httpHeaderBytes.value} bytes in all`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    code: 'REQUEST_TIMEOUT',
    message: 'the request did not arrive in time (MACP_REQUEST_TIMEOUT_SECS)',
  },
};

export function refuseBadHeads(server: Server, answered: (status: number) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!isAboutHttp(error) || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const refusal = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
    answered(refusal.status);
    socket.end(rawAnswer(refusal), () => socket.destroy());
  });
}

/** Not one about TLS, or a peer that left: nobody could read an answer. */
function isAboutHttp({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** Part of another answer was sent: more bytes now would be taken for its rest. Node looks at the same field. */
function isAnswering(socket: Duplex): boolean {
  const { _httpMessage: response } = socket as {
    readonly _httpMessage?: { readonly headersSent: boolean } | null;
  };
  return response?.headersSent ?? false;
}
