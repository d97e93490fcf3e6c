/**
 * What the SDK says to each mistake. The answers are in mistakes/typescript.json, those of Python beside it, and both in
 * docs/reference/sdk-errors.md. `-u` writes them anew: read what changed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MacpSdkError } from 'macp-sdk-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADVICE } from '../../packages/sdk/src/advice.js';
import { selfSigned } from '../kit/self-signed.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { errorsPage, type Said } from './support/errors-page.js';
import { MISTAKES, type Servers } from './support/mistakes.js';

const answers = new URL('./mistakes/', import.meta.url);
const page = new URL('../../docs/reference/sdk-errors.md', import.meta.url);

describe('mistakes', () => {
  let running: readonly ServerProcess[] = [];
  let servers: Servers;
  const said: Record<string, Said> = {};

  beforeAll(async () => {
    const { cert, key } = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
    const folder = temporaryFolder();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const dev = await startServerProcess();
    const tls = await startServerProcess({
      args: [],
      env: {
        MACP_TLS_CERT_PATH: file('cert.pem', cert),
        MACP_TLS_KEY_PATH: file('key.pem', key),
        MACP_AUTH_TOKENS_JSON: JSON.stringify([{ token: 'secret', sender: 'alice' }]),
        MACP_SESSION_START_LIMIT_PER_MINUTE: '2',
      },
    });
    running = [dev, tls];
    servers = { dev, tls: { grpc: tls.grpc, ca: Buffer.from(cert) } };
  });
  afterAll(() => Promise.all(running.map((server) => server.stop('SIGTERM'))));

  it.each(MISTAKES)('$id: $mistake', async ({ id, make }) => {
    const error = await make(servers).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof MacpSdkError)) throw new Error(`${id} ends with ${String(error)}`);
    expect(error.message).not.toMatch(/undefined|\[object|No connection established/);
    said[id] = told(error);
  });

  it('are answered as the page says', async () => {
    expect(Object.keys(said)).toHaveLength(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThanOrEqual(25);
    await expect(`${JSON.stringify(said, null, 2)}\n`).toMatchFileSnapshot(
      new URL('typescript.json', answers).pathname,
    );
    const python = new URL('python.json', answers);
    const other = existsSync(python)
      ? (JSON.parse(readFileSync(python, 'utf8')) as Record<string, Said>)
      : undefined;
    await expect(errorsPage(MISTAKES, said, other, ADVICE)).toMatchFileSnapshot(page.pathname);
  });
});

/** Without what differs from run to run. */
function told(error: MacpSdkError): Said {
  const message = error.message
    .replace(/127\.0\.0\.1:(?!3100|50051|1\b)\d+/g, '127.0.0.1:PORT')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\b\d+(\.\d+)?( ms|s\b)/g, 'N$2')
    .replace(/\s+/g, ' ');
  const argument = 'argument' in error && typeof error.argument === 'string' ? error.argument : undefined;
  const code = error.macpCode ?? ('code' in error && typeof error.code === 'string' ? error.code : undefined);
  return {
    error: error.name,
    ...(code !== undefined && { code }),
    ...(argument !== undefined && { argument }),
    message,
    ...(error.retryAfterMs !== undefined && { retryAfter: true }),
    ...(error.denials.length > 0 && { denials: error.denials.map((denial) => denial.code) }),
  };
}
