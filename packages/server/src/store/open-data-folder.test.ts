import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from './open-data-folder.js';

let root: string;
let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask(0o022);
  root = mkdtempSync(join(tmpdir(), 'handover-folder-'));
  folder = join(root, 'data');
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true });
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the data folder', () => {
  it('is made private, with everything that is put into it', () => {
    const deep = join(root, 'a', 'b', 'data');
    openDataFolder(deep, 'dev');
    writeFileSync(join(deep, 'store.db'), '');
    expect([mode(deep), mode(join(root, 'a')), mode(join(deep, 'store.db'))]).toEqual(['700', '700', '600']);
  });

  it('tightens an empty folder and loose files, and leaves links alone', () => {
    mkdirSync(folder, { mode: 0o755 });
    openDataFolder(folder, 'dev');
    expect(mode(folder)).toBe('700');
    const outside = join(root, 'outside');
    writeFileSync(outside, '', { mode: 0o644 });
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(folder, 'link'));
    writeFileSync(join(folder, 'loose'), '');
    chmodSync(join(folder, 'loose'), 0o664);
    openDataFolder(folder, 'dev');
    expect([mode(join(folder, 'loose')), mode(outside)]).toEqual(['600', '644']);
  });

  it('refuses a folder that others can read and that holds something, and changes nothing', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'letter'), '');
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'letter'), 0o644);
    expect(() => openDataFolder(folder, 'dev')).toThrow(/chmod 700/);
    expect([mode(folder), mode(join(folder, 'letter'))]).toEqual(['755', '644']);
  });

  it('refuses a file, and a place where no folder can be made', () => {
    writeFileSync(folder, '');
    expect(() => openDataFolder(folder, 'dev')).toThrow('CONFIGURATION');
    expect(() => openDataFolder(join(folder, 'below'), 'dev')).toThrow(
      /a part of its path is a file .*HANDOVER_DATA_DIR/,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('refuses the folder of another user (needs root to set up)', () => {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 12_345, 12_345);
    expect(() => openDataFolder(folder, 'dev')).toThrow('another user');
  });

  it('once used with credentials it is closed to dev mode for good', () => {
    openDataFolder(folder, 'dev');
    openDataFolder(folder, 'dev');
    openDataFolder(folder, 'credentials');
    expect(mode(join(folder, 'used-with-credentials'))).toBe('600');
    openDataFolder(folder, 'credentials');
    expect(() => openDataFolder(folder, 'dev')).toThrow('real credentials');
    expect(existsSync(join(folder, 'used-with-credentials'))).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux')('a place where no folder can be made', () => {
  it('is told as such', () => {
    expect(() => openDataFolder('/proc/handover', 'dev')).toThrow(
      'the data folder /proc/handover cannot be made: no folder can be made there; use another folder',
    );
  });
});
