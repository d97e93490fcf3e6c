/**
 * console:P2 and console:P3: the TypeScript SDK as a stranger gets it. It is packed, installed from the tarball into an
 * empty folder, and used there as its pages say, by modules, by CommonJS and by TypeScript, against a real server.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sdk from 'macp-sdk-typescript';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { useServer } from '../sdk/support/server.js';
import { CleanRoom, ROOT } from './support/clean-room.js';
import { commonJsOf, Page } from './support/programs.js';

/** Where Node does not let CommonJS require a module, as older ones do: then the CommonJS build is what is run. */
const REQUIRES_COMMONJS = '--no-experimental-require-module';
/** Who compiles with the oldest compiler has the types of the oldest Node; newer ones ask for a newer compiler. */
const OLDEST = ['typescript@5.4.5', '@types/node@20.19.39'];
const NEWEST = join(ROOT, 'node_modules/typescript/bin/tsc');

const room = new CleanRoom();
const installed = join(room.folder, 'node_modules/macp-sdk-typescript');
const page = new Page('docs/guide/sdk-typescript.md');
const guide = page.program;
const server = useServer();
const out = temporaryFolder();
const env = () => ({ HANDOVER_ADDRESS: server.address() });
const run = (...args: string[]) => room.node(args, env());

describe('the installed SDK', { timeout: 240_000 }, () => {
  beforeAll(() => {
    const said = execFileSync(process.execPath, ['scripts/pack/sdk.mjs', out], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    room.install(said.trim(), ...OLDEST);
    const readme = readmeFor(server.address());
    room.write('readme.mjs', readme);
    room.write('readme-main.mjs', commonJsOf(readme, 'ts'));
    room.write('guide.mjs', guide);
    room.write('guide.cjs', commonJsOf(guide, 'js'));
    for (const name of ['worker', 'owner']) room.write(`${name}.mjs`, page.named(name));
  }, 240_000);

  it('is the SDK alone: few files, small, nothing of tests, maps or our private names', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((path) => ({ path, stat: lstatSync(join(installed, path)) }))
      .filter(({ stat }) => stat.isFile());
    expect(files.map(({ path }) => path).sort()).toMatchInlineSnapshot(`
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "dist/index.cjs",
        "dist/index.d.cts",
        "dist/index.d.ts",
        "dist/index.js",
        "dist/parts/client.js",
        "dist/parts/plain.js",
        "package.json",
      ]
    `);
    expect(files.reduce((sum, { stat }) => sum + stat.size, 0)).toBeLessThanOrEqual(1024 * 1024);
    const text = files.map(({ path }) => readFileSync(join(installed, path), 'utf8')).join('\n');
    expect(text).not.toMatch(/["']@handover\//);
    expect(text).not.toContain('sourceMappingURL');
    expect(text).not.toContain(ROOT);
  });

  it('names what it needs: two packages, nothing of ours, and npm finds nothing missing or wrong', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'macp-sdk-typescript',
      engines: { node: '>=20.19' },
      sideEffects: false,
    });
    expect(manifest).not.toHaveProperty('scripts');
    const { dependencies } = manifest as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(['@bufbuild/protobuf', '@grpc/grpc-js']);
    const tree = room.npm(['ls', '--all']);
    expect(tree).not.toMatch(/missing|invalid|extraneous|@handover\//);
  });

  it('exports the same to both formats, and one class of each name where Node can require modules', async () => {
    const program = `
      const cjs = require('macp-sdk-typescript');
      import('macp-sdk-typescript').then((esm) => {
        const names = (all) => Object.keys(all).sort();
        console.log(JSON.stringify({ cjs: names(cjs), esm: names(esm), same: cjs.MacpClient === esm.MacpClient }));
      });`;
    const values = Object.keys(sdk).sort();
    const say = async (...flags: string[]): Promise<unknown> =>
      JSON.parse(await run(...flags, '-e', program));
    expect(await say()).toEqual({ cjs: values, esm: values, same: true });
    expect(await say(REQUIRES_COMMONJS)).toEqual({ cjs: values, esm: values, same: false });
  });

  it('hands over from one process to another, as the guide says', async () => {
    const worker = room.start(['worker.mjs'], env());
    expect(await run('owner.mjs')).toBe(page.printed('owner'));
    worker.stop();
    expect(await worker.said).toBe(page.printed('worker'));
  });

  it('runs the lines of its README', async () => {
    await run('readme.mjs');
  });

  it.each([
    ['a module', ['guide.mjs']],
    ['CommonJS', ['guide.cjs']],
    ['CommonJS that can require no modules', [REQUIRES_COMMONJS, 'guide.cjs']],
  ])("runs the guide's lines in %s", async (_, args) => {
    await run(...args);
  });

  it.each([
    // Declarations of others are read once: that is most of the work.
    { version: '5.4', tsc: 'node_modules/typescript/bin/tsc', skipLibCheck: false },
    { version: '6', tsc: NEWEST, skipLibCheck: true },
  ])(
    "compiles the guide's lines with TypeScript $version, in both formats",
    async ({ tsc, skipLibCheck }) => {
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        noEmit: true,
        types: ['node'],
        skipLibCheck,
      };
      room.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.mts', 'typed.cts'] }));
      // That a compiler says nothing is worth something only where it would say something.
      const typed = `${guide}\n// @ts-expect-error\nawait session.offer({ handoffId: 3, targetParticipant: 'bob' });\n`;
      room.write('typed.mts', typed);
      room.write('typed.cts', commonJsOf(typed, 'ts'));
      expect(await run(tsc, '-p', '.').catch(wordsOf)).toBe('');
    },
  );

  it("compiles the guide's programs of two processes", async () => {
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
      skipLibCheck: true,
    };
    const files = ['worker.mts', 'owner.mts', 'wrong.mts'];
    room.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    for (const name of ['worker', 'owner']) room.write(`${name}.mts`, page.named(name));
    room.write('wrong.mts', page.named('worker').replace('decide(', 'decided('));
    const said = await run(NEWEST, '-p', '.').catch(wordsOf);
    // That a compiler says nothing is worth something only where it would say something.
    expect(said).toMatch(/^wrong\.mts\(/);
    expect(said).not.toMatch(/^(worker|owner)\.mts/m);
  });

  it('keeps the import lines of every page true under the name that a registry would have', async () => {
    const renamed = new CleanRoom();
    const stage = join(out, 'stage/sdk');
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: stage, encoding: 'utf8' }).trim();
    npm('pkg', 'set', 'name=@handover/macp-sdk');
    const tarball = npm('pack', '--silent');
    expect(tarball).toBe('handover-macp-sdk-0.1.0.tgz');
    renamed.install(`macp-sdk-typescript@file:${join(stage, tarball)}`);
    const manifest = join(renamed.folder, 'node_modules/macp-sdk-typescript/package.json');
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ name: '@handover/macp-sdk' });
    renamed.write('readme.mjs', readmeFor(server.address()));
    await renamed.node(['readme.mjs'], env());
  });

  it('works in a bundle that does not know where it is', async () => {
    const { code } = await bundle('readme-main.mjs', 'cjs');
    room.write('bundle.cjs', code);
    await run('bundle.cjs');
  });

  it('leaves gRPC out of the bundle of a program that needs an id or an error alone', async () => {
    expect(await bundled('newSessionId')).toMatchObject({
      bytes: expect.any(Number),
      imports: ['node:crypto'],
    });
    expect((await bundled('newSessionId')).bytes).toBeLessThanOrEqual(6_000);
    expect((await bundled('MacpAckError')).bytes).toBeLessThanOrEqual(6_000);
    expect((await bundled('MacpClient')).imports).toContain('@grpc/grpc-js');
  });
});

/** The program of the package's README, for a server that listens elsewhere. */
const readmeFor = (address: string) =>
  new Page('packages/sdk/README.md').program.replaceAll('127.0.0.1:50051', address);

/** What a bundler makes of a program that uses one export. */
async function bundled(name: string) {
  room.write('one.mjs', `import { ${name} } from 'macp-sdk-typescript';\nconsole.log(${name});\n`);
  const { code, imports } = await bundle('one.mjs', 'esm');
  return { bytes: Buffer.byteLength(code), imports };
}

async function bundle(name: string, format: 'esm' | 'cjs') {
  const build = await rolldown({
    input: join(room.folder, name),
    platform: 'node',
    external: /^(?:node:|@grpc\/|@bufbuild\/)/,
    // As bundlers write CommonJS that know no better.
    ...(format === 'cjs' && { transform: { define: { 'import.meta.url': 'undefined' } } }),
  });
  const { output } = await build.generate({ format });
  await build.close();
  return output[0];
}

/** What a compiler that failed says; one that was killed says nothing. */
const wordsOf = (error: { readonly stdout?: string }) => error.stdout || String(error);
