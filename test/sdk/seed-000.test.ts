/** Every code block of the TypeScript page, character for character, against a real server. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SEED_BLOCKS, SEED_PAGE } from './seeds/000-blocks.js';
import { type BlockName, type Part, runSeedProgram, writeSeedProgram } from './support/seed-program.js';
import { useServer } from './support/server.js';

const check = (...lines: readonly string[]): Part => ({
  assert: lines.map((line) => `assert.${line};`).join('\n'),
});
const run = (block: BlockName): Part => ({ block });
const projection = 'session.projection';

/** Accepting and declining one offer exclude each other, so each has a session of its own. */
const PROGRAMS: Readonly<Record<string, readonly Part[]>> = {
  accepted: [
    run('start'),
    check(`equal(${projection}.phase, 'Offering')`, `ok(${projection}.handoffs instanceof Map)`),
    run('offer'),
    check(
      `equal(${projection}.getHandoff('h1')?.status, 'offered')`,
      `equal(${projection}.pendingHandoffs().length, 1)`,
    ),
    run('context'),
    check(
      `equal(${projection}.getHandoff('h1')?.status, 'context_sent')`,
      `equal(${projection}.phase, 'ContextSharing')`,
    ),
    run('accept'),
    run('queries'),
    check(
      `equal(${projection}.getHandoff('h1')?.status, 'accepted')`,
      `equal(${projection}.isAccepted('h1'), true)`,
      `equal(${projection}.isDeclined('h1'), false)`,
      `deepEqual(${projection}.pendingHandoffs(), [])`,
      `equal(${projection}.phase, 'Resolved')`,
      `equal(JSON.parse(Buffer.from(${projection}.contexts.get('h1')?.[0]?.context ?? []).toString()).openIssues, 12)`,
    ),
    {
      assert: `await session.commit({ action: 'handoff.accepted', authorityScope: 'frontend', reason: 'bob has it' });`,
    },
    check(
      `equal(${projection}.phase, 'Committed')`,
      `equal(${projection}.transcript.length, 5)`,
      `equal((await session.metadata()).state, 'RESOLVED')`,
    ),
  ],
  declined: [
    run('start'),
    run('offer'),
    run('context'),
    run('decline'),
    run('queries'),
    check(
      `equal(${projection}.getHandoff('h1')?.status, 'declined')`,
      `equal(${projection}.isAccepted('h1'), false)`,
      `equal(${projection}.isDeclined('h1'), true)`,
      `equal(${projection}.phase, 'Resolved')`,
    ),
  ],
};

describe('seed 000', () => {
  const server = useServer();

  it.each(Object.keys(PROGRAMS))('the %s story runs as written', async (name) => {
    await runSeedProgram(writeSeedProgram(name, PROGRAMS[name] ?? []), server.address());
  });

  it('runs every block', () => {
    const used = Object.values(PROGRAMS).flatMap((parts) =>
      parts.flatMap((part) => ('block' in part ? part.block : [])),
    );
    expect(new Set(used)).toEqual(new Set(Object.keys(SEED_BLOCKS)));
  });

  it('type-checks as written, under strict rules', () => {
    const files = Object.entries(PROGRAMS).map(([name, parts]) => writeSeedProgram(name, parts));
    const program = ts.createProgram(files, {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
    });
    const flaws = ts.getPreEmitDiagnostics(program);
    expect(flaws.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  const page = fileURLToPath(new URL(`../../${SEED_PAGE}`, import.meta.url));
  it.skipIf(!existsSync(page))('has the blocks of the page, and no line of code is left out', () => {
    const lines = readFileSync(page, 'utf8').split('\n');
    const covered = new Set<number>();
    for (const {
      lines: [from, to],
      text,
    } of Object.values(SEED_BLOCKS)) {
      expect(lines.slice(from - 1, to).join('\n')).toBe(text);
      for (let line = from; line <= to; line++) covered.add(line);
    }
    const code = /^(import|const|await|session\.|\/\/|\}|\s{2,}\w+:)/;
    const missed = lines.flatMap((line, index) => (code.test(line) && !covered.has(index + 1) ? [line] : []));
    expect(missed).toEqual([]);
  });
});
