/** Finds the command, loads no other, and says in one form what went wrong. */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.js';
import { COMMANDS, type CommandRow } from './command-table.js';
import { failureOf } from './conventions/failure.js';
import { failureJson, failureText } from './conventions/report.js';
import { throwUsage } from './conventions/usage.js';

export async function run(argv: readonly string[]): Promise<void> {
  const words = argv.slice(2);
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const row = COMMANDS.find(({ name }) => name === first);
  const program = await programFor([row, COMMANDS.find(({ name }) => first === 'help' && name === second)]);
  try {
    await program.parseAsync(argv);
  } catch (thrown) {
    // Help and version were asked for, and are said.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return;
    const failure = failureOf(thrown);
    process.stderr.write(words.includes('--json') ? failureJson(failure) : failureText(failure));
    if (words.includes('--debug') || process.env.HANDOVER_DEBUG === '1') console.error(thrown);
    process.exitCode = row?.failsWith ?? failure.exit;
  }
}

/** Where it is looked for by whoever has read no command's own help. */
const DATA_DIR_HELP = `
Every command that has to do with a log takes, behind its name:
  -d, --data-dir <folder>  where the log lives; else HANDOVER_DATA_DIR, else
                           ~/.local/share/handover`;

/** All commands by name, those that are asked for with their flags. */
export async function programFor(asked: readonly (CommandRow | undefined)[]): Promise<Command> {
  const program = new Command('handover')
    .description(
      'Hand responsibility from one agent or person to another, and prove afterwards what happened.',
    )
    .version(VERSION, '-V, --version')
    .addHelpText('after', DATA_DIR_HELP)
    .helpCommand(false)
    .configureOutput({ outputError: () => undefined });
  for (const row of COMMANDS) {
    const command = program.command(row.name).description(row.summary);
    if (asked.includes(row)) (await row.load())(command);
  }
  throwUsage(program);
  return program;
}
