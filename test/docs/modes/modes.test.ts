/** The pages of docs/modes: what is generated on them is current, and their sessions run as written. */
import { readdirSync, readFileSync } from 'node:fs';
import { BUILT_IN_MODES, type JsonObject } from '@handover/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../../packages/server/src/server.js';
import { openServer } from '../../kit/server.js';
import { DEFAULT_RULES } from '../../model/handoff-model.js';
import { codeIn, expectPage, readPage } from '../generated.js';
import { linksIn } from '../links.js';
import { readProto } from '../proto/read-proto.js';
import { canRunScripts, runScript } from '../run-script.js';
import { beginning } from './example.js';
import { modeBlocks, refusalsOf, termsOf, typesOf } from './mode-page.js';
import { type Role, sessionMoves } from './moves.js';
import { picture } from './picture.js';
import { rulesIn } from './rules.js';
import { SHOWN_MODES, type ShownMode } from './shown-modes.js';

const sources = new URL('../../../packages/core/src/modes/', import.meta.url);
const proto = readProto();
const pathOf = ({ page }: ShownMode) => `docs/modes/${page}.md`;
const cases = SHOWN_MODES.map((shown) => [shown.page, shown] as const);

it('there is a page for each mode that is built in, and the index leads to all of them', () => {
  expect(SHOWN_MODES.map(({ mode }) => mode).sort()).toEqual([...BUILT_IN_MODES.keys()].sort());
  const linked = new Set(linksIn(readPage('docs/modes/README.md')).map(({ path }) => path));
  for (const { page } of SHOWN_MODES) expect(linked).toContain(`${page}.md`);
});

it('the index shows the states of every session', async () => {
  const ends = ['Resolved', 'Expired', 'Cancelled'];
  const drawn = picture('Open', [{ only: '', moves: sessionMoves(DEFAULT_RULES) }], { ends });
  await expectPage('docs/modes/README.md', { session: `\`\`\`mermaid\n${drawn}\n\`\`\`` });
});

describe.runIf(canRunScripts)('a page', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server.close());

  it.each(cases)('%s: what is generated is current, and its session runs as written', async (_, shown) => {
    const [script = ''] = codeIn(readPage(pathOf(shown)), 'bash');
    expect(script.slice(0, beginning(shown.mode).length)).toBe(beginning(shown.mode));
    const output = (await runScript(script, server.httpUrl)).trim();
    // It ends well, and something in it is refused: both is worth seeing.
    expect(output).toContain(': SESSION_STATE_RESOLVED');
    expect(output).toMatch(/: (?:INVALID_ENVELOPE|FORBIDDEN|POLICY_DENIED) /);
    await expectPage(pathOf(shown), { ...modeBlocks(shown, proto), output: `\`\`\`text\n${output}\n\`\`\`` });
  });
});

describe('who may send what', () => {
  it.each(cases)('%s: the page says it as the search finds it', (_, { mode, scenarios, senders }) => {
    const found = new Map<string, Set<Role>>();
    for (const { scenario } of scenarios)
      for (const { type, by, to } of scenario.moves())
        if (to !== undefined && typesOf(mode).includes(type))
          found.set(type, (found.get(type) ?? new Set()).add(by));
    const said = Object.entries(senders).map(([type, [, ...roles]]) => [type, roles.sort()]);
    expect(Object.fromEntries([...found].map(([type, roles]) => [type, [...roles].sort()]))).toEqual(
      Object.fromEntries(said),
    );
    expect(Object.keys(senders)).toEqual(typesOf(mode));
  });
});

describe('what is refused', () => {
  /** Texts of `invalid('…')` and the like, without what is filled in. */
  const REFUSAL = /\b(?:invalid|forbidden)\(\s*(?:'([^']+)'|`([^`]+)`)/g;
  const ELSEWHERE = [
    // Said of every payload: the page about the calls says it.
    'payload is not ',
    // Only of policies that an older log holds, whose rules cannot be read now.
    'the threshold of the policy cannot be evaluated',
  ];
  /** Nobody gets there: one counter-proposal too many is refused when it comes, and so it is in a what-if replay. */
  const NEVER_HERE = ['criterion_not_met'];

  it.each(cases)('%s: the page has every refusal of its rules', (_, shown) => {
    const folder = new URL(`${shown.page}/`, sources);
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'policy-rules.ts')
      .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(REFUSAL)])
      .map(([, plain, filled = '']) => plain ?? filled)
      .filter((text) => !ELSEWHERE.some((start) => text.startsWith(start)));
    expect(texts.length).toBeGreaterThan(0);
    const said = refusalsOf(shown).refused.map(({ words }) => words);
    const missing = texts.filter((text) => {
      const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return !said.some((words) => new RegExp(`^${parts.join('.*')}$`).test(words));
    });
    expect(missing).toEqual([]);
  });

  it.each(cases)('%s: the page has every denial of its rules', (_, shown) => {
    const folder = new URL(`${shown.page}/`, sources);
    const named = readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/DenialCode\.(\w+)/g)])
      .map(([, name = '']) =>
        name.replace(/[A-Z]/g, (letter, at) => (at > 0 ? '_' : '') + letter.toLowerCase()),
      );
    const shownCodes: readonly string[] = refusalsOf(shown).denied.map(({ code }) => code);
    const missing = named.filter((code) => !shownCodes.includes(code) && !NEVER_HERE.includes(code));
    expect(missing).toEqual([]);
  });
});

describe('what a rule says by default', () => {
  const withSchema = cases.filter(([, { mode }]) => termsOf(mode).rulesSchema !== undefined);

  it.each(withSchema)('%s: is what its absence says', (_, { mode }) => {
    const terms = termsOf(mode);
    const rules = rulesIn(terms.rulesSchema ?? '').filter((rule) => rule.default !== undefined);
    expect(rules.length).toBeGreaterThan(2);
    for (const { path, default: value } of rules) {
      const [block = '', ...keys] = blockAndKeys(path);
      const inner = keys.reduceRight<unknown>((below, key) => ({ [key]: below }), value);
      const written = { [block]: inner } as JsonObject;
      expect([path, terms.begin(written, terms.ruleKeys)]).toEqual([path, terms.begin({}, terms.ruleKeys)]);
    }
  });
});

/** The vendor block has a dot in its name. */
const blockAndKeys = (path: string): readonly string[] =>
  path.startsWith('x-handover.rules.')
    ? ['x-handover.rules', ...path.slice('x-handover.rules.'.length).split('.')]
    : path.split('.');
