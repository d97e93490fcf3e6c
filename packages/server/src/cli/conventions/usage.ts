/** A command line that cannot be understood: what is wrong with it, and what may have been meant. */
import type { Command, CommanderError } from 'commander';
import { nearestNames } from '../../platform/nearest-name.js';
import { ExitCode } from './exit-code.js';
import { type CommandFailure, wrongUsage } from './failure.js';

/** The library ends the process by itself; here it throws, so that every failure is said in one place. */
export function throwUsage(command: Command): void {
  command.showSuggestionAfterError(false).exitOverride((error) => {
    throw error.exitCode === ExitCode.Done ? error : usageFailure(error, command);
  });
  for (const one of command.commands) throwUsage(one);
}

function usageFailure({ code, message }: CommanderError, command: Command): CommandFailure {
  // The help text stands on stderr already.
  if (code === 'commander.help') return wrongUsage('name a command');
  const what = message.replace(/^error: /, '').replace(/\.$/, '');
  const given = /'(-{0,2}[^' ]+)/.exec(what)?.[1] ?? '';
  if (code === 'commander.unknownOption' && ID_WITH_DASH.test(given))
    return wrongUsage(what, `An id that begins with a dash goes behind "--": ${pathOf(command)} -- ${given}`);
  return wrongUsage(what, `${didYouMean(given, candidates(code, command))}${helpHint(command)}`);
}

/** Clients choose their own session ids, and 22 characters of base64 may begin with a dash. */
const ID_WITH_DASH = /^-[A-Za-z0-9_-]{21,}(?::\S+)?$/;

function candidates(code: string, command: Command): readonly string[] {
  if (code === 'commander.unknownCommand') return command.commands.map((one) => one.name());
  if (code !== 'commander.unknownOption') return [];
  return command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])).concat('--help');
}

export function didYouMean(given: string, names: Iterable<string>): string {
  const near = nearestNames(given, names);
  return near.length === 0 ? '' : `Did you mean ${near.join(', ')}? `;
}

const helpHint = (command: Command): string => `"${pathOf(command)} --help" says what is possible`;

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
