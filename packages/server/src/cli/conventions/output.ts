/** Where a command writes: what was asked for to stdout; progress, notes and failures to stderr. */
import type { Command } from 'commander';

export interface Output {
  out(text: string): void;
  /** Progress and notes: nothing that a script needs. */
  note(text: string): void;
}

export function outputOf(command: Command): Output {
  const { writeOut, writeErr } = command.configureOutput();
  const { quiet } = command.opts<{ readonly quiet?: boolean }>();
  return {
    out: (text) => writeOut?.(text),
    note: (text) => {
      if (!quiet) writeErr?.(text);
    },
  };
}
