/** All commands, in the order in which `--help` lists them. A command's file is loaded when the command is asked for. */
import type { Command } from 'commander';
import { ExitCode } from './conventions/exit-code.js';

type Describe = (command: Command) => void;

export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Describe>;
  /** Where the caller knows only one kind of failure. */
  readonly failsWith?: ExitCode;
}

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'serve',
    summary: 'Run the server: gRPC, HTTP, MCP and the review pages on one log.',
    load: async () => (await import('./serve.js')).describeServe,
  },
  {
    name: 'mcp',
    summary: 'MCP over stdin and stdout, for assistants; joins the server on this data folder or starts one.',
    load: async () => (await import('./mcp.js')).describeMcp,
    failsWith: ExitCode.Failed,
  },
  {
    name: 'install',
    summary: 'Connect an assistant: its MCP entry, its hooks, and the commands /handoff and /pickup.',
    load: async () => (await import('./install/install.js')).describeInstall,
  },
  {
    name: 'uninstall',
    summary: 'Take out of the files of an assistant what install put there.',
    load: async () => (await import('./install/uninstall.js')).describeUninstall,
  },
  {
    name: 'stop',
    summary: 'End the server of this data folder, after the calls that are under way.',
    load: async () => (await import('./stop.js')).describeStop,
  },
  {
    name: 'inbox',
    summary:
      'Show what waits for an agent: offers, acceptances, work that was left or taken, its own sessions.',
    load: async () => (await import('./inbox.js')).describeInbox,
  },
  {
    name: 'take',
    summary: 'Give the work of an assistant that is silent, or gone, to another one.',
    load: async () => (await import('./take.js')).describeTake,
  },
  {
    name: 'cancel',
    summary: 'Take back what was offered or left for others; whoever offered it keeps the work.',
    load: async () => (await import('./cancel.js')).describeCancel,
  },
  {
    name: 'hook',
    summary: 'For the hooks of assistants: notes that something happened in a conversation; never fails.',
    load: async () => (await import('./capture/hook.js')).describeHook,
  },
  {
    name: 'capture',
    summary: "Record where a conversation stands, from its transcript and the folder's git, redacted.",
    load: async () => (await import('./capture/capture.js')).describeCapture,
  },
  {
    name: 'md',
    summary: 'Working sessions as HANDOFF.md, and back.',
    load: async () => (await import('./md/md.js')).describeMd,
  },
  {
    name: 'webhooks',
    summary: 'What became of outgoing webhooks.',
    load: async () => (await import('./webhooks.js')).describeWebhooks,
  },
  {
    name: 'export',
    summary: "Write a session's transcript in canonical JSON; it can be verified without the server.",
    load: async () => (await import('./export.js')).describeExport,
  },
  {
    name: 'receipt',
    summary:
      'Write a signed receipt: of a finished session (who offered, what was frozen, who answered), or of an operation that is over (what moved, and on whose word).',
    load: async () => (await import('./receipt.js')).describeReceipt,
  },
  {
    name: 'keys',
    summary:
      'Print the public keys of the server, one in a line, the one that signs last: give it to whoever checks your receipts.',
    load: async () => (await import('./keys.js')).describeKeys,
  },
  {
    name: 'verify',
    summary: 'Check that nothing stored was changed: a data folder, a database file, an export or a receipt.',
    load: async () => (await import('./verify.js')).describeVerify,
  },
  {
    name: 'help',
    summary: 'Say more about a command, or about exit-codes.',
    load: async () => (await import('./help.js')).describeHelp,
  },
];
