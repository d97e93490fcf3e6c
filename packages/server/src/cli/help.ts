/** `handover help [topic]`: of a command what its `--help` says; and what concerns all of them. */
import type { Command } from 'commander';
import { acting } from './conventions/acting.js';
import { ExitCode, exitCodesHelp, UNSURE_HELP } from './conventions/exit-code.js';
import { wrongUsage } from './conventions/failure.js';
import type { Output } from './conventions/output.js';
import { didYouMean } from './conventions/usage.js';

const TOPICS: ReadonlyMap<string, () => string> = new Map([
  ['exit-codes', () => `How every command ends:\n${exitCodesHelp()}\n\n${UNSURE_HELP}\n`],
]);

export function describeHelp(command: Command): void {
  command.argument('[topic]', `a command, or ${[...TOPICS.keys()].join(', ')}`);
  acting(command, [ExitCode.Usage], async (output, topic?: string) => help(command.parent, topic, output));
}

function help(program: Command | null, topic: string | undefined, output: Output): ExitCode {
  const commands = program?.commands ?? [];
  const text = topic === undefined ? undefined : TOPICS.get(topic)?.();
  if (text !== undefined) {
    output.out(text);
    return ExitCode.Done;
  }
  const about = topic === undefined ? program : commands.find((one) => one.name() === topic);
  if (about) {
    about.outputHelp();
    return ExitCode.Done;
  }
  const known = [...commands.map((one) => one.name()), ...TOPICS.keys()];
  throw wrongUsage(
    `there is no help on ${JSON.stringify(topic)}`,
    `${didYouMean(topic ?? '', known)}"handover help" lists the commands`,
  );
}
