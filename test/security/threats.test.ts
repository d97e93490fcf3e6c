import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { threats } from './rows.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const covered = threats.filter(({ test }) => test !== 'later issue');

describe('threats', () => {
  it.each(covered)('$surface: $threat has a test', ({ test }) => {
    expect(existsSync(`${root}${test}`), test).toBe(true);
    expect(readFileSync(`${root}${test}`, 'utf8')).toMatch(/\bit(\.each)?\(/);
  });

  it('of surfaces that exist are none of them left for later', () => {
    const later = threats.filter(({ test }) => test === 'later issue').map(({ surface }) => surface);
    expect([...new Set(later)]).toEqual(['MCP', 'Capability URL', 'Page']);
  });
});
