/** docs/reference/command-line.md is written from the commands: `npx vitest run test/docs/command-line.test.ts -u`. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../packages/server/src/cli/command-table.js';
import { exitCodesHelp, UNSURE_HELP } from '../../packages/server/src/cli/conventions/exit-code.js';
import { programFor } from '../../packages/server/src/cli/run.js';

type Command = Awaited<ReturnType<typeof programFor>>;

const RULES = `# The command line

What scripts may rely on. \`handover <command> --help\` says the same, and what each command is about.

- What was asked for goes to stdout; notes, progress and failures go to stderr.
- \`--json\` gives one JSON document on stdout. A failure is then one on stderr, \`{"error": {"code", "message", "fix", "exit"}}\`, and
  stdout is empty.
- A failure says what is wrong, what to do, and a code: \`handover: no server runs on this data folder. There is nothing to
  stop   [NO_SERVER]\`. A data folder in which nothing was ever stored is \`NOT_FOUND\`. Of a mistyped command or flag the nearest are named.
- The data folder is \`-d, --data-dir\`; else \`HANDOVER_DATA_DIR\`; else \`~/.local/share/handover\`.
- Text that others wrote is shown without control characters.`;

const leaves = (command: Command, path: string): readonly (readonly [string, Command])[] =>
  command.commands.length === 0
    ? [[path, command]]
    : command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`));

function section([path, command]: readonly [string, Command]): string {
  const named = command.registeredArguments.map((argument) => {
    const inner = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${inner}>` : ` [${inner}]`;
  });
  const flags = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags: spelled, description }) => `| \`${spelled}\` | ${description} |`);
  return [
    `## ${path}${named.join('')}`,
    command.description(),
    ['| Flag | |', '|---|---|', ...flags].join('\n'),
  ].join('\n\n');
}

it('console:L3 console:L5 the page names every command, flag and exit code', async () => {
  const program = await programFor(COMMANDS);
  const codes = `## Exit codes\n\n\`\`\`\n${exitCodesHelp()}\n\`\`\`\n\n${UNSURE_HELP} \`mcp\` ends with 1 whatever went wrong.`;
  const page = [RULES, codes, ...leaves(program, 'handover').map(section)].join('\n\n');
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/reference/command-line.md');
});

it('assistants:6.7 the page for teams names the commands that reach a server elsewhere', async () => {
  const reaching = leaves(await programFor(COMMANDS), 'handover')
    .filter(([, { options }]) => options.some(({ long }) => long === '--server'))
    .map(([path]) => path.split(' ').slice(0, 2).join(' '));
  const page = readFileSync(new URL('../../docs/assistants/team.md', import.meta.url), 'utf8');
  const [, sentence = ''] = /`--server` and `--token` are for four commands: (.*?)\./s.exec(page) ?? [];
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...new Set(reaching)].toSorted());
});
