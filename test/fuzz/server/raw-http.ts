/** Requests that are not HTTP, or not all of it: cut off, pipelined, flooded with headers, framed in two ways at once. */
import type { Random } from '../values/random.js';
import { mutateBytes, text, word } from '../values/texts.js';
import { exchange } from './http-wire.js';
import { judgeHttp } from './judge.js';
import { saw } from './outcomes.js';
import { serverTarget } from './server-target.js';

type RawCase = { bytes: string; halfClose: boolean; hangUpMs: number | null };

const GET = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const post = (extra: string, body: string): string =>
  `POST /macp/envelope HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${extra}\r\n${body}`;

function request(random: Random): string {
  const flood = random.size(3_000);
  return random.pick([
    () => GET,
    () => GET.replace('Connection: close', 'Connection: keep-alive').repeat(random.size(200)) + GET,
    () =>
      `GET /health HTTP/1.1\r\nHost: localhost\r\n${Array.from({ length: flood }, (_, at) => `X-${at}: ${word(random)}\r\n`).join('')}\r\n`,
    () => `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(random.size(200_000))}\r\n\r\n`,
    () => `GET /${'a'.repeat(random.size(200_000))} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    () => post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nGET / HTTP/1.1\r\n\r\n'),
    () => post('Content-Length: 5\r\nContent-Length: 6\r\n', 'abcdef'),
    () =>
      post(
        'Transfer-Encoding: chunked\r\n',
        `${random.pick(['5', 'ffffffffffffffff', '-1', '5;ext=1', 'z'])}\r\nabcde\r\n0\r\n\r\n`,
      ),
    () => post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'),
    () => post(`Content-Length: ${random.between(10, 100)}\r\n`, '{"a":1}'),
    () => post('Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n', '{}'),
    () =>
      `${random.pick(['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n', 'GET / HTTP/0.9\r\n\r\n', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'])}`,
    () => text(random, 10_000),
  ])();
}

export const rawHttp = serverTarget<RawCase>({
  name: 'http-framing',
  generate(random) {
    const whole = Buffer.from(request(random), 'latin1');
    const bytes = random.oneIn(3)
      ? mutateBytes(random, whole.subarray(0, 20_000))
      : random.oneIn(5)
        ? whole.subarray(0, random.int(whole.length + 1))
        : whole;
    // Most clients give up; a few wait until the server does.
    const hangUpMs = random.oneIn(60) ? null : random.between(20, 200);
    return { bytes: Buffer.from(bytes).toString('base64'), halfClose: random.oneIn(4), hangUpMs };
  },
  async send({ bytes, halfClose, hangUpMs }, server) {
    const answer = await exchange(server.http, {
      bytes: Buffer.from(bytes, 'base64'),
      halfClose,
      ...(hangUpMs !== null && { hangUpMs }),
    });
    saw('http-framing', String(answer.status));
    return judgeHttp('bytes on the HTTP port', answer, true);
  },
});
