/** How `handover hook` is described; what it does is in run-hook.ts, which starts without any of this. */
import { type Command, Option } from 'commander';
import { acting } from '../conventions/acting.js';
import { ExitCode } from '../conventions/exit-code.js';
import { withAgent, withDataDir, withServer } from '../conventions/flags.js';
import { CLIENTS, HOOK_EVENTS } from './clients.js';
import { runHook } from './run-hook.js';

export function describeHook(command: Command): void {
  command.argument('<event>', `one of ${HOOK_EVENTS.join(', ')}; what happened is read from stdin`);
  command.addOption(new Option('--client <name>', 'whose hook it is').choices(CLIENTS));
  withAgent(
    command,
    'for whom the client works; else the name of the client, or with --server whose token it is',
  );
  withProject(command);
  withServer(withDataDir(command));
  acting(command, [], async () => {
    await runHook(process.argv.slice(3));
    return ExitCode.Done;
  });
}

export const withProject = (command: Command): Command =>
  command.option('--project <folder>', 'what it works on; else what the client says');
