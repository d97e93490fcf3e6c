import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from './make-folder.js';

it('makes what is missing, for this user alone, and says where it began', () => {
  const base = mkdtempSync(join(tmpdir(), 'folder-'));
  expect(makeFolder(join(base, 'a', 'b'))).toBe(join(base, 'a'));
  expect(statSync(join(base, 'a', 'b')).mode & 0o777).toBe(0o700);
  expect(makeFolder(join(base, 'a', 'b'))).toBeUndefined();
  writeFileSync(join(base, 'file'), '');
  expect(() => makeFolder(join(base, 'file', 'c'))).toThrow('ENOTDIR');
});

it.runIf(existsSync('/proc/self'))('ends where nothing can be made', () => {
  expect(() => makeFolder('/proc/handover-test')).toThrow('ENOENT');
});
