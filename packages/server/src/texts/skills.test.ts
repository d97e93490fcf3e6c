import { describe, expect, it } from 'vitest';
import { SKILLS } from './skills.js';

/** The estimate of the specification: four bytes are one token. */
const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

describe('skills', () => {
  it('assistants:7.7 are handoff and pickup; /resume belongs to Claude Code', () => {
    expect(SKILLS.map(({ name }) => name)).toEqual(['handoff', 'pickup']);
  });

  it.each(SKILLS)('$name fits into every form it is written in', ({ name, title, description, body }) => {
    expect(name).toMatch(/^[a-z]+$/);
    expect(tokens(body)).toBeLessThanOrEqual(500);
    // Without quotes in YAML and in TOML; three quotes would end a TOML text.
    expect(description).toMatch(/^[A-Z][A-Za-z ,.-]{1,200}\.$/);
    expect(title).toMatch(/^[A-Z][a-z ]+$/);
    expect(body).not.toMatch(/\\|"""|'''|\{\{|\$|!\{|@\{/);
    expect(body.endsWith('.\n')).toBe(true);
  });
});
