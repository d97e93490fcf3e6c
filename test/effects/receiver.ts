/** A real receiver on a real socket, which checks signatures by its own means (WebCrypto, not the server's code). */
import { webcrypto } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly signed: boolean;
  readonly path: string;
}

/** What it answers to the n-th request (from 1); nothing: it never does. */
export type Behaviour = (
  n: number,
) => { readonly status: number; readonly headers?: Record<string, string> } | undefined;

export const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

export async function startReceiver(behave: Behaviour = () => ({ status: 204 }), port = 0) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
      const { headers } = request;
      const id = String(headers['webhook-id']);
      const signed = await isSigned(headers, body);
      received.push({ id, type, data, body, headers, signed, path: request.url ?? '' });
      const answer = behave(received.length);
      if (answer) response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    received,
    port: bound,
    url: `http://127.0.0.1:${bound}/hook`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function isSigned(headers: IncomingHttpHeaders, body: string): Promise<boolean> {
  const { subtle } = webcrypto;
  const secret = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const age = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']));
  for (const candidate of String(headers['webhook-signature']).split(' ')) {
    const [version, signature = ''] = candidate.split(',');
    const bytes = Buffer.from(signature, 'base64');
    if (version === 'v1' && (await subtle.verify('HMAC', key, bytes, Buffer.from(text)))) return age < 300;
  }
  return false;
}
