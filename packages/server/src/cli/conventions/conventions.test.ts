/** Holds for every command that there is: a new one that goes its own way fails here. */
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../command-table.js';
import { programFor } from '../run.js';

/** Flags with one meaning everywhere. What else a command takes is its own and stands beside its name. */
const SHARED = new Set([
  ...['--data-dir', '--data', '--agent', '--as', '--json', '--tenant', '--out', '--force', '--timeout'],
  ...['--quiet', '--debug', '--dev', '--bind', '--memory-only', '--http-host', '--http-port', '--log-level'],
  ...['--server', '--token'],
]);
const OWN: Readonly<Record<string, readonly string[]>> = {
  serve: ['--for-assistants'],
  inbox: ['--hook', '--project', '--all'],
  take: ['--to', '--reason', '--now'],
  cancel: ['--reason', '--close'],
  mcp: ['--project', '--toolsets'],
  install: ['--scope', '--dry-run', '--no-hooks', '--no-command', '--check'],
  uninstall: ['--scope', '--dry-run'],
  hook: ['--client', '--project'],
  capture: ['--client', '--transcript', '--project', '--park', '--diff', '--dry-run', '--spool'],
  export: ['--project'],
  import: ['--to', '--project'],
  receipt: ['--format'],
  keys: ['--jwks'],
  verify: ['--key', '--against'],
};

let program: Command;
let leaves: readonly Command[];
beforeAll(async () => {
  program = await programFor(COMMANDS);
  const below = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(below);
  leaves = below(program);
});

const longFlags = (command: Command) => command.options.map(({ long }) => long ?? '');

function helpOf(command: Command): string {
  let said = '';
  command.configureOutput({
    writeOut: (text) => {
      said += text;
    },
  });
  command.outputHelp();
  return said;
}

describe('every command', () => {
  it('console:L3 takes flags that mean the same everywhere, or its own that are listed', () => {
    for (const command of leaves)
      for (const flag of longFlags(command))
        expect(SHARED.has(flag) || OWN[command.name()]?.includes(flag), `${command.name()} ${flag}`).toBe(
          true,
        );
  });

  it('console:L3 has -d for the data folder, and the older --data where nobody reads of it', () => {
    const withFolder = leaves.filter((command) => longFlags(command).includes('--data-dir'));
    expect(withFolder.map((command) => command.name())).toEqual([
      ...['serve', 'mcp', 'install', 'uninstall', 'stop', 'inbox', 'take', 'cancel', 'hook', 'capture'],
      ...['export', 'import', 'dead', 'export'],
      ...['receipt', 'keys', 'verify'],
    ]);
    for (const command of withFolder) {
      expect(command.options.find(({ long }) => long === '--data-dir')?.short).toBe('-d');
      expect(command.options.find(({ long }) => long === '--data')?.hidden).toBe(true);
    }
  });

  it('console:L3 has --data-dir in its help, and so has the list of all of them', async () => {
    const place = /^ {2}-d, --data-dir <folder> {2}\S/m;
    expect(helpOf(program)).toMatch(place);
    for (const command of leaves.filter((one) => longFlags(one).includes('--data-dir')))
      expect(helpOf(command), command.name()).toMatch(place);
  });

  it('console:L5 says in its help how it ends', () => {
    // The clients that run a hook must never see it fail.
    for (const command of leaves)
      expect(helpOf(command), command.name()).toMatch(
        command.name() === 'hook'
          ? /\nExit codes:\n {2}0 {4}done\n$/
          : /\nExit codes:\n {2}0 {4}done\n {2}[1-7]/,
      );
  });

  it('says what it is for', () => {
    for (const command of leaves) expect(command.description(), command.name()).toMatch(/^[A-Z].*\.$/);
  });
});

describe('help', () => {
  it('of verify says what cannot be found, and that 2 is also an unknown signer', () => {
    const verify = leaves.find((command) => command.name() === 'verify');
    expect(verify && helpOf(verify)).toMatch(
      /cut off at the end of a log[\s\S]*ends with 2 when a signature/,
    );
  });
});
