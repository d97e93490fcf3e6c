import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readToken, tokenPath } from './token-file.js';

const folder = mkdtempSync(join(tmpdir(), 'handover-token-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string, mode = 0o600): string {
  const path = join(folder, `token-${Math.random()}`);
  writeFileSync(path, content, { mode });
  chmodSync(path, mode);
  return path;
}

describe('assistants:J6 the file of a token', () => {
  it('is named by @, with ~ for the home folder; the token itself is refused and not repeated', () => {
    expect(tokenPath('@/a/b')).toBe('/a/b');
    expect(tokenPath('@~/t')).toBe(join(homedir(), 't'));
    for (const bare of ['hnd_secret', '', '@']) {
      expect(() => tokenPath(bare)).toThrow('--token @FILE');
      expect(() => tokenPath(bare)).not.toThrow('hnd_secret');
    }
  });

  it('holds the token alone', () => {
    expect(readToken(file(' hnd_secret\n'))).toBe('hnd_secret');
    for (const content of ['', '\n', 'two words', 'two\nlines', 'ümlaut', 'a\0b', 'x'.repeat(20_000)]) {
      const path = file(content);
      expect(() => readToken(path)).toThrow(path);
    }
  });

  it.each([0o644, 0o640, 0o604, 0o620, 0o601])('of mode %o is refused, and its content not shown', (mode) => {
    const path = file('hnd_secret', mode);
    expect(() => readToken(path)).toThrow('can be read by other users');
    expect(() => readToken(path)).not.toThrow('hnd_secret');
  });

  it.skipIf(process.getuid?.() !== 0)('of another user is refused', () => {
    const path = file('hnd_secret');
    chownSync(path, 65_534, 65_534);
    expect(() => readToken(path)).toThrow('belongs to another user');
  });

  it('that is none is refused at once: nothing there, a folder, a device; a link leads to its file', () => {
    expect(() => readToken(join(folder, 'none'))).toThrow('it does not exist');
    mkdirSync(join(folder, 'folder'));
    expect(() => readToken(join(folder, 'folder'))).toThrow();
    expect(() => readToken('/dev/zero')).toThrow('is no file');
    symlinkSync(file('hnd_secret', 0o644), join(folder, 'link'));
    expect(() => readToken(join(folder, 'link'))).toThrow('can be read by other users');
  });
});
