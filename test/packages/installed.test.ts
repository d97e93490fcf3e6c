/**
 * console:P1 and console:P3: the command as a stranger gets it. It is packed, installed with npm into an empty home, and
 * used from there in an empty folder.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { HandoverProcess } from '../kit/handover-process.js';
import { connectHttp, connectStdio } from '../kit/mcp-clients.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { O1 } from '../operations/support/examples.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL = ['install', '--global', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

const place = temporaryFolder();
const [out, home, prefix, empty] = ['out', 'home', 'prefix', 'empty'].map((name) => join(place, name)) as [
  string,
  string,
  string,
  string,
];
const installed = join(prefix, 'lib', 'node_modules', 'handover');
const binary = join(installed, 'bin', 'handover.js');

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: home },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

interface Lying {
  readonly path: string;
  readonly bytes: number;
  readonly changed: number;
}

/** Every file below a folder, by its path from there. */
function filesOf(folder: string): readonly Lying[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, stat: lstatSync(join(folder, path)) }))
    .filter(({ stat }) => !stat.isDirectory())
    .map(({ path, stat }) => ({ path, bytes: stat.size, changed: stat.mtimeMs }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

describe('the installed command', { timeout: 240_000 }, () => {
  let before: readonly Lying[];

  beforeAll(() => {
    for (const folder of [home, empty]) mkdirSync(folder);
    run(process.execPath, ['scripts/pack.mjs', out], root);
    const tarball = readdirSync(out).find((name) => /^handover-.*\.tgz$/.test(name));
    if (tarball === undefined) throw new Error('no tarball was packed');
    run('npm', [...INSTALL, '--prefix', prefix, join(out, tarball)], empty);
    before = filesOf(prefix);
  }, 240_000);

  it('is the command alone: few files, small, nothing of tests, maps or our private names', () => {
    const own = filesOf(installed).filter(({ path }) => !path.startsWith('node_modules/'));
    const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(3 * 1024 * 1024);
    const kinds = new Set(
      own.map(({ path }) => path.replace(/-[\w-]{8}\./, '-*.').replace(/^dist\/parts\/.*/, 'dist/parts/*')),
    );
    expect([...kinds].sort()).toMatchInlineSnapshot(`
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "THIRD_PARTY_NOTICES",
        "bin/handover.js",
        "dist/cli/main.js",
        "dist/pages/assets/icon-*.svg",
        "dist/pages/assets/index-*.css",
        "dist/pages/assets/index-*.js",
        "dist/pages/creation-code.json",
        "dist/pages/index.html",
        "dist/parts/*",
        "dist/services/large/worker.js",
        "dist/store/sqlite/worker.js",
        "package.json",
      ]
    `);
    const text = own.map(({ path }) => readFileSync(join(installed, path), 'utf8')).join('\n');
    expect(text).not.toMatch(/from ?["']@handover\//);
    expect(text).not.toContain('sourceMappingURL');
    expect(text).not.toContain(root);
  });

  it('names what it needs, and npm finds nothing missing or wrong', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).toMatchObject({ name: 'handover', exports: { './package.json': './package.json' } });
    expect(manifest).not.toHaveProperty('scripts');
    expect(run('npm', ['ls', '--global', '--all', '--prefix', prefix], empty)).not.toMatch(
      /missing|invalid|extraneous/,
    );
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(run(join(prefix, 'bin', 'handover'), ['--version'], empty).trim()).toBe(version);
  });

  it('serves: health, a request over MCP, and the page on which a person reviews it', async () => {
    const args = ['serve', '--dev', '--bind', '127.0.0.1:0', '--http-port', '0'];
    const server = new HandoverProcess(args, { binary, env: { HOME: home } });
    const { http } = await server.ready();
    expect((await fetch(`${http}/health`)).status).toBe(200);
    const client = await connectHttp(new URL('/mcp', http), 'alice');
    const created = await client.callTool({ name: 'create_operation_handoff', arguments: O1() });
    const { operationUrl } = JSON.parse((created.content as { text: string }[])[0]?.text ?? '{}');
    const page = await fetch(operationUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [script] = /\/pages\/assets\/[\w-]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(`${http}${script}`)).status).toBe(200);
    await client.close();
    expect(await server.stop()).toBe(0);
  });

  it('speaks MCP over a pipe, and starts the server that it needs', async () => {
    const client = await connectStdio(join(home, 'data'), { name: 'a', binary, env: { HOME: home } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('registerSession');
    await client.close();
  });

  it('assistants:I4 would connect assistants with its own paths, and writes nothing for that', () => {
    const paths = () => filesOf(home).map(({ path }) => path);
    const homeBefore = paths();
    const diff = run(join(prefix, 'bin', 'handover'), ['install', 'codex', '--dry-run'], empty);
    expect(diff).toContain(`+command = ${JSON.stringify(process.execPath)}\n`);
    expect(diff).toContain(`+args = [${JSON.stringify(binary)}, "mcp", "--agent", "codex"]\n`);
    const json = run(join(prefix, 'bin', 'handover'), ['install', 'gemini', '--dry-run', '--json'], empty);
    expect(JSON.parse(json)).toMatchObject({ dryRun: true, changes: [{ state: 'added' }, {}, {}] });
    expect(paths()).toEqual(homeBefore);
  });

  it('wrote nothing beside its data: not where it was started, not where it was installed', () => {
    expect(filesOf(empty)).toEqual([]);
    expect(filesOf(prefix)).toEqual(before);
  });
});
