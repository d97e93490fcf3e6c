/** docs/reports/fuzz.md: what ran, for how long, and what it found. Nothing is counted that did not run. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Run } from './run-target.js';
import type { Seed } from './seeds.js';

const ROOT = new URL('../../', import.meta.url);

export interface ReportFacts {
  readonly runs: readonly Run[];
  readonly command: string;
  readonly seed: number;
  readonly servers: readonly string[];
  readonly seeds: readonly (Seed & { readonly name: string })[];
}

export function writeReport(facts: ReportFacts): void {
  writeFileSync(new URL('docs/reports/fuzz.md', ROOT), reportText(facts));
}

function reportText({ runs, command, seed, servers, seeds }: ReportFacts): string {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const rows = runs.map(
    ({ target, cases, seconds, findings }) =>
      `| ${target} | ${cases} | ${Math.round(seconds)} | ${findings.length} |`,
  );
  const found = runs
    .flatMap((run) => run.findings)
    .map(
      ({ target, kind, what, index, times }) =>
        `- ${target}, case ${index}, ${times} times: ${kind}: ${what.split('\n')[0]}`,
    );
  const open = seeds
    .filter((one) => one.open)
    .map(({ name, found: what }) => `- \`${name}\`: ${what.split('\n')[0]}`);
  return `# Fuzzing

What \`${command}\` did on ${new Date().toISOString().slice(0, 10)}, with seed ${seed}, on ${machine()}, Node ${process.version},
build ${build()}. A case is one input to a decoder, or one exchange with a server process; ${Math.round(sum(({ seconds }) => seconds) / 60)} minutes in all.
How it works: [test/fuzz](../../test/fuzz/README.md).

| target | cases | seconds | findings |
| --- | ---: | ---: | ---: |
${rows.join('\n')}
| all | ${sum(({ cases }) => cases)} | ${Math.round(sum(({ seconds }) => seconds))} | ${sum(({ findings }) => findings.length)} |

${servers.length === 0 ? 'No server was started.' : `At the end: ${servers.join('; ')}.`}

${found.length === 0 ? 'Nothing was found in this run.' : `Found in this run:\n\n${found.join('\n')}`}

Kept seeds: ${seeds.length}, tried again by \`test/fuzz/seeds.test.ts\`${open.length === 0 ? '; none is open.' : `, except ${open.length} that ${open.length === 1 ? 'is' : 'are'} still open:\n\n${open.join('\n')}`}
`;
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

function build(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...args], { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const dirty = git('status', '--porcelain', 'packages') === '' ? '' : ' with changes';
    return `${version} (${git('rev-parse', '--short', 'HEAD')}${dirty})`;
  } catch {
    return version;
  }
}
