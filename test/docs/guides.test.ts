/** The guides about policies, what-if replay and receipts: their commands run as written, after the session that they go on from. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { STANDARD_PROFILES } from '../../packages/core/src/modes/standard-profiles.js';
import { DenialCode } from '../../packages/core/src/policy/evaluate.js';
import { openServer } from '../kit/server.js';
import { type Blocks, codeIn, expectPage, readPage } from './generated.js';
import { canRunScripts, runScript } from './run-script.js';
import { codeCell, table, textCell } from './tables.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
/** Inside the repository, so that a script finds the libraries that a reader installs. */
const folder = mkdtempSync(join(cache, 'guides-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BETWEEN = '\u001e';
const HANDOVER = `"${process.execPath}" "${join(root, 'packages/server/bin/handover.js')}"`;

/** What each block of commands prints, after the session on the page of a mode. */
async function outputsOf(page: string, mode: string): Promise<readonly string[]> {
  const [session = ''] = codeIn(readPage(`docs/modes/${mode}.md`), 'bash');
  const script = [session, ...codeIn(readPage(page), 'bash')]
    .join(`printf '${BETWEEN}'\n`)
    .replaceAll('npx handover', HANDOVER);
  const data = mkdtempSync(join(folder, 'data-'));
  const server = await openServer({ flags: { dataDir: data } });
  try {
    const where = { cwd: folder, env: { ...process.env, DATA: data } };
    const [, ...outputs] = (await runScript(script, server.httpUrl, where)).split(BETWEEN);
    return outputs.map((output) => output.trim());
  } finally {
    await server.close();
  }
}

/** Those that the page shows. */
const shown = (page: string, outputs: readonly string[]): Blocks =>
  Object.fromEntries(
    outputs
      .map((output, index) => [`output-${index + 1}`, `\`\`\`text\n${output}\n\`\`\``] as const)
      .filter(([name]) => readPage(page).includes(`generated: ${name} `)),
  );

describe.runIf(canRunScripts)('a guide', () => {
  it('about policies shows what its commands print, and the policies that are built in', async () => {
    const page = 'docs/guide/policies.md';
    const outputs = await outputsOf(page, 'decision');
    const [registered, mistyped, denied, silent] = outputs;
    expect(registered).toContain('"ok":true');
    expect(mistyped).toContain('INVALID_POLICY_DEFINITION: ');
    expect(denied).toContain('"denials":');
    expect(silent).toContain('was already declined');
    const { 'output-4': last = '', ...first } = shown(page, outputs);
    await expectPage(page, { ...first, profiles: profileTable(), 'output-4': last });
  });

  it('about what-if replay shows what its commands print', async () => {
    const page = 'docs/guide/what-if.md';
    const outputs = await outputsOf(page, 'decision');
    expect(outputs[0]).toContain('threshold_not_met');
    await expectPage(page, shown(page, outputs));
  });

  it('about receipts checks one with the command and with a library, and finds what was changed', async () => {
    const page = 'docs/guide/receipts.md';
    const [program = ''] = codeIn(readPage(page), 'js');
    const [, name = ''] = /^\/\/ (\S+)\n/.exec(program) ?? [];
    writeFileSync(join(folder, name), program);
    const outputs = (await outputsOf(page, 'quorum')).map(withoutNames);
    expect(outputs[1]).toContain('verdict     attested');
    expect(outputs[2]).toContain('signed and whole');
    expect(outputs[3]).toContain('exit code 1');
    expect(outputs[4]).toBe('OK: signature valid, signer known');
    await expectPage(page, shown(page, outputs));
  });
});

it('the guide about policies explains every denial', () => {
  const [, rows = ''] = /\| denial \|([\s\S]*?)\n\n/.exec(readPage('docs/guide/policies.md')) ?? [];
  const explained = [...rows.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(explained.toSorted()).toEqual(Object.values(DenialCode).toSorted());
});

function profileTable(): string {
  return table(
    ['policy', 'says', 'rules'],
    [...STANDARD_PROFILES.values()].map(({ policyId, description, rules }) => [
      codeCell(policyId),
      textCell(description.replace('Built in: ', '')),
      codeCell(JSON.stringify(rules)),
    ]),
  );
}

/** What is another one each time. */
const withoutNames = (output: string): string =>
  output
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/(handover-chain\/1 )[0-9a-f]{64}/g, '$1…')
    .replace(/(handover-|jws by )[0-9a-f]{16}/g, '$1…')
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '…');
