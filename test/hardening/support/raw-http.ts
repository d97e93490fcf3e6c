/** A request whose answer is kept as bytes: the client works in this process, too, and must not be what is measured. */
import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export function rawPost(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<RawAnswer> {
  const whole = { ...headers, 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: whole }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(pieces) }));
    });
    asked.on('error', reject).end(body);
  });
}
