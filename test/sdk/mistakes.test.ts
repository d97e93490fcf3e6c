/**
 * What the SDKs say to each mistake. The answers are in mistakes/typescript.json, those of Python beside it, and both in
 * docs/reference/sdk-errors.md. `-u` writes them anew: read what changed. Where there is no Python its column stays as it is.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as sdk from 'macp-sdk-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADVICE } from '../../packages/sdk/src/advice.js';
import { selfSigned } from '../kit/self-signed.js';
import { type ServerProcess, startServerProcess } from '../kit/server-process.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { FIRST_INSTALL_MS, pythonInterpreter } from '../python/run-python.js';
import { errorsPage, type Said } from './support/errors-page.js';
import { MISTAKES, type Servers } from './support/mistakes.js';

const answers = new URL('./mistakes/', import.meta.url);
const page = new URL('../../docs/reference/sdk-errors.md', import.meta.url);
const inPython = (path: string) => fileURLToPath(new URL(`../../python/${path}`, import.meta.url));

describe('mistakes', () => {
  let running: readonly ServerProcess[] = [];
  let servers: Servers;
  let ca = '';
  const said: Record<string, Said> = {};
  let inPythonToo: string | undefined;

  beforeAll(async () => {
    const { cert, key } = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });
    const folder = temporaryFolder();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    ca = file('cert.pem', cert);
    const dev = await startServerProcess();
    const tls = await startServerProcess({
      args: [],
      env: {
        MACP_TLS_CERT_PATH: ca,
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
    if (!(error instanceof sdk.MacpSdkError)) throw new Error(`${id} ends with ${String(error)}`);
    expect(error.message).not.toMatch(/undefined|\[object|No connection established/);
    said[id] = told(error);
  });

  it('are made in Python, too', { timeout: FIRST_INSTALL_MS }, async ({ skip }) => {
    const python = await pythonInterpreter();
    if (!python) return skip('no Python');
    const { dev, tls } = servers;
    const args = [
      inPython('tests/tell_mistakes.py'),
      JSON.stringify({ grpc: dev.grpc, http: dev.http, tls: tls.grpc, ca }),
    ];
    const env = { ...process.env, PYTHONPATH: inPython('src') };
    const { stdout } = await promisify(execFile)(python, args, { env });
    const column = JSON.parse(stdout) as Record<string, Said>;
    expect(Object.keys(column)).toEqual(MISTAKES.map(({ id }) => id));
    for (const { message } of Object.values(column)) expect(message).not.toMatch(/None|object at|<class/);
    await expect(stdout).toMatchFileSnapshot(new URL('python.json', answers).pathname);
    inPythonToo = stdout;
  });

  it('are answered as the page says', async () => {
    expect(Object.keys(said)).toHaveLength(MISTAKES.length);
    expect(MISTAKES.length).toBeGreaterThanOrEqual(25);
    await expect(`${JSON.stringify(said, null, 2)}\n`).toMatchFileSnapshot(
      new URL('typescript.json', answers).pathname,
    );
    await expect(errorsPage(MISTAKES, said, pythonColumn(), ADVICE)).toMatchFileSnapshot(page.pathname);
  });

  it('are of the same class in both languages, with the same code, and name the same argument', () => {
    const alike = (column: Readonly<Record<string, Said>>) =>
      Object.entries(column).map(([id, { error, code, argument, denials }]) => ({
        ...{ id, error, code, denials },
        argument: argument && (OTHER_NAMES[argument] ?? camel(argument)),
      }));
    expect(alike(said)).toEqual(alike(pythonColumn()));
  });

  it('have classes in one tree', { timeout: FIRST_INSTALL_MS }, async ({ skip }) => {
    const classes = Object.entries(sdk).filter(([name]) => /^Macp\w*Error$/.test(name));
    const tree = Object.fromEntries(
      classes.map(([name, kind]) => [name, (Object.getPrototypeOf(kind) as { name: string }).name]),
    );
    expect(tree).toMatchObject({ MacpSdkError: 'Error', MacpRetryError: 'MacpTransportError' });
    const python = await pythonInterpreter();
    if (!python) return skip('no Python');
    const env = { ...process.env, PYTHONPATH: inPython('src') };
    const { stdout } = await promisify(execFile)(python, ['-c', TREE_IN_PYTHON], { env });
    expect({ ...JSON.parse(stdout), MacpSdkError: 'Error' }).toEqual(tree);
  });

  const pythonColumn = () =>
    JSON.parse(inPythonToo ?? readFileSync(new URL('python.json', answers), 'utf8')) as Record<string, Said>;
});

/** Where an argument has another name than snake and camel case make of it. */
const OTHER_NAMES: Readonly<Record<string, string>> = { target: 'address' };
const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const TREE_IN_PYTHON = `
import handover_macp, json, re
kinds = {name: kind for name, kind in vars(handover_macp).items() if re.fullmatch(r"Macp\\w*Error", name)}
print(json.dumps({name: kind.__base__.__name__ for name, kind in kinds.items()}))
`;

/** Without what differs from run to run. */
function told(error: sdk.MacpSdkError): Said {
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
