import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from './atomic-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handover-atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('writeFileAtomic', () => {
  it('creates and replaces, private, leaving nothing else behind', () => {
    const path = join(folder, 'file');
    writeFileAtomic(path, 'one');
    writeFileAtomic(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('cleans up after itself when it cannot', () => {
    mkdirSync(join(folder, 'taken'));
    expect(() => writeFileAtomic(join(folder, 'taken'), 'x')).toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});
