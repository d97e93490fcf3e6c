/** An answer as text, for a connection on which Node has no request to answer. It is the last one. */
export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  readonly code: string;
  readonly message: string;
}

export function rawAnswer({ status, reason, code, message }: RawAnswer): string {
  const body = JSON.stringify({ code, message });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
