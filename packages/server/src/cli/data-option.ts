/** The data folder has one name in all commands. Some called it `--data` before, which still works. */
import { type Command, Option } from 'commander';

export interface DataOptions {
  readonly dataDir?: string;
  readonly data?: string;
}

export function withDataOption(command: Command, what: string): Command {
  return command
    .option('--data-dir <folder>', what)
    .addOption(new Option('--data <folder>', 'the older name of --data-dir').hideHelp());
}

export const namedFolder = ({ dataDir, data }: DataOptions): string | undefined => dataDir ?? data;
