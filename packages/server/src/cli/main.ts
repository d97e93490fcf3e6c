/** The `handover` command: one file per sub-command, and no more of them loaded than the one that is asked for. */
import { FaultCode, HandoverError } from '@handover/core';
import { Command } from 'commander';
import { systemCause } from '../platform/system-cause.js';
import { VERSION } from '../version.js';
import { surviveLostReaders } from './nobody-reads.js';

type AddCommand = (program: Command) => void;

/** In the order in which `--help` lists them. */
const COMMANDS = new Map<string, () => Promise<AddCommand>>([
  ['serve', async () => (await import('./serve.js')).addServeCommand],
  ['mcp', async () => (await import('./mcp.js')).addMcpCommand],
  ['inbox', async () => (await import('./inbox.js')).addInboxCommand],
  ['webhooks', async () => (await import('./webhooks.js')).addWebhooksCommand],
  ['export', async () => (await import('./export.js')).addExportCommand],
  ['receipt', async () => (await import('./receipt.js')).addReceiptCommand],
  ['keys', async () => (await import('./keys.js')).addKeysCommand],
  ['verify', async () => (await import('./verify.js')).addVerifyCommand],
]);

export async function main(argv: readonly string[]): Promise<void> {
  surviveLostReaders();
  const program = new Command('handover')
    .description(
      'Hand responsibility from one agent or person to another, and prove afterwards what happened.',
    )
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for what is possible)');
  const asked = COMMANDS.get(argv[2] ?? '');
  for (const load of asked ? [asked] : COMMANDS.values()) (await load())(program);
  try {
    await program.parseAsync(argv);
  } catch (thrown) {
    // The user sees what went wrong and what to do; causes stay in the process.
    const fault = HandoverError.from(thrown);
    process.stderr.write(`handover: ${sentenceOf(fault)}\n`);
    if (process.env.HANDOVER_DEBUG === '1') console.error(thrown);
    process.exitCode = 1;
  }
}

/** Where no part of the server said why, the system may have; the messages of others could quote a secret. */
function sentenceOf({ code, shortMessage, cause }: HandoverError): string {
  if (code !== FaultCode.INTERNAL) return shortMessage;
  const why = systemCause(cause);
  if (why === undefined) return `${shortMessage}; HANDOVER_DEBUG=1 shows where`;
  const path = cause instanceof Error && 'path' in cause ? `${String(cause.path)}: ` : '';
  return `${path}${why}`;
}
