import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { threats } from './rows.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('threats', () => {
  it.each(threats)('$surface: $threat has a test, or a dated reason for having none', ({ test }) => {
    if (typeof test !== 'string') {
      expect(test.since).toMatch(/^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/);
      expect(test.reason.length).toBeGreaterThan(20);
      return;
    }
    expect(existsSync(`${root}${test}`), test).toBe(true);
    expect(readFileSync(`${root}${test}`, 'utf8')).toMatch(/\bit(\.each)?\(/);
  });
});
