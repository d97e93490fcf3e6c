/**
 * An assistant as `handover install` left it in a home: its MCP entry, its hooks and its transcript are used as the
 * client itself would use them. No model is behind it.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseToml } from 'smol-toml';
import type { Home } from '../cli/install/support.js';
import { cleanEnv } from '../kit/handover-process.js';
import { call, type Era, newClient, type Payload } from '../kit/mcp-clients.js';
import { kill } from '../stdio/support.js';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

interface Conversing {
  readonly session: string;
  readonly era: Era;
  /** The program says which conversation its MCP servers belong to. None has to. */
  readonly named?: boolean;
  /** Of the program that is started for MCP. */
  readonly env?: Readonly<Record<string, string>>;
}

type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;

export class InstalledAssistant {
  readonly name: 'claude' | 'codex';
  readonly #home: Home;
  readonly #session: string;
  readonly #transcript: string;
  readonly #era: Era;
  readonly #named: boolean;
  readonly #more: Readonly<Record<string, string>>;
  #pipe: { readonly client: ReturnType<typeof newClient>; readonly pid: number } | undefined;

  constructor(home: Home, name: 'claude' | 'codex', { session, era, named = true, env = {} }: Conversing) {
    this.name = name;
    this.#named = named;
    this.#more = env;
    this.#home = home;
    this.#session = session;
    this.#era = era;
    const folder = name === 'claude' ? '.claude/projects/-work-shop' : '.codex/sessions/2026/11/15';
    this.#transcript = join(home.path, folder, `${session}.jsonl`);
  }

  /** A line of the conversation, as Claude Code keeps it. */
  says(type: 'user' | 'assistant', content: unknown): void {
    mkdirSync(dirname(this.#transcript), { recursive: true });
    appendFileSync(this.#transcript, `${JSON.stringify({ type, message: { role: type, content } })}\n`);
  }

  /** What the hook prints. The client runs the line of its own settings in a shell. */
  async hook(event: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const file = this.name === 'claude' ? '.claude/settings.json' : '.codex/hooks.json';
    const { hooks } = JSON.parse(this.#home.read(file) ?? '') as { hooks: Hooks };
    const command = hooks[event]?.[0]?.hooks[0]?.command;
    if (command === undefined) throw new Error(`no hook for ${event} was installed`);
    const child = spawn('/bin/sh', ['-c', command], { cwd: this.#home.project, env: this.#env() });
    const payload = { session_id: this.#session, transcript_path: this.#transcript, cwd: this.#home.project };
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload, ...more }));
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`the hook ${event} ended with ${code}`);
    return printed === '' ? '' : JSON.parse(printed).hookSpecificOutput.additionalContext;
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Payload> {
    this.#pipe ??= await this.#connect();
    return call(this.#pipe.client, tool, args);
  }

  /** Its process and the pipe are gone, without a word. */
  die(): void {
    if (this.#pipe) kill(this.#pipe.pid, 'SIGKILL');
    this.#pipe = undefined;
  }

  async close(): Promise<void> {
    await this.#pipe?.client.close();
  }

  async #connect() {
    const { command, args } = this.#entry();
    const client = newClient(this.#era, this.name);
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: this.#env(this.#more),
      cwd: this.#home.project,
      stderr: 'ignore',
    });
    await client.connect(transport);
    if (transport.pid === null) throw new Error('the pipe has no process');
    return { client, pid: transport.pid };
  }

  #entry(): Entry {
    if (this.name === 'claude')
      return JSON.parse(this.#home.read('.claude.json') ?? '').mcpServers.handover as Entry;
    const { mcp_servers } = parseToml(this.#home.read('.codex/config.toml') ?? '');
    return (mcp_servers as unknown as { handover: Entry }).handover;
  }

  #env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const own =
      this.name === 'claude'
        ? {
            CLAUDE_PROJECT_DIR: this.#home.project,
            ...(this.#named && { CLAUDE_CODE_SESSION_ID: this.#session }),
          }
        : {};
    return cleanEnv({ HOME: this.#home.path, ...own, ...more });
  }
}
