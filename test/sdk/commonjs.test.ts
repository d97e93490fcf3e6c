/** The package is ESM alone; on every Node that it supports, CommonJS can still require it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

it(`require() works on this Node (${process.version})`, async () => {
  const script = `
    const { Auth, HandoffSession, MacpClient } = require('macp-sdk-typescript');
    const client = new MacpClient({ address: '127.0.0.1:1', auth: Auth.devAgent('alice') });
    console.log(typeof new HandoffSession(client).sessionId);
    client.close();`;
  const args = ['--input-type=commonjs', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout.trim()).toBe('string');
});

it('says which Node it needs, ships types, and needs nothing native', () => {
  const manifest = JSON.parse(readFileSync(new URL('packages/sdk/package.json', root), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'macp-sdk-typescript',
    type: 'module',
    engines: { node: '>=20.19' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  });
  expect(Object.keys(manifest.dependencies)).toEqual(['@grpc/grpc-js', '@handover/core', '@handover/wire']);
});
