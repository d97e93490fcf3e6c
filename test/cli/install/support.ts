/** An empty home with a project in it, and stand-ins for the programs of assistants that record what they are told. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BINARY, HandoverProcess } from '../../kit/handover-process.js';
import { temporaryFolder } from '../../kit/temporary-folder.js';

/** Keeps what it is told in `.claude.json`, as Claude Code does, with a member of its own. */
const CLAUDE = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync, existsSync } = require('node:fs');
const args = process.argv.slice(2);
const home = process.env.HOME;
appendFileSync(home + '/ran.jsonl', JSON.stringify(['claude', ...args]) + '\\n');
if (args[0] === '--version') { console.log('2.1.7 (Claude Code)'); process.exit(0); }
const file = home + '/.claude.json';
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { numStartups: 7 };
state.mcpServers ??= {};
if (args[1] === 'add-json') {
  if (state.mcpServers[args[4]]) { console.error('MCP server handover already exists'); process.exit(1); }
  state.mcpServers[args[4]] = { ...JSON.parse(args[5]), env: {} };
}
if (args[1] === 'remove') delete state.mcpServers[args[4]];
writeFileSync(file, JSON.stringify(state));
`;
const CODE = `#!${process.execPath}
require('node:fs').appendFileSync(process.env.HOME + '/ran.jsonl', JSON.stringify(['code', ...process.argv.slice(2)]) + '\\n');
`;
const FAILING = '#!/bin/sh\necho "no network" >&2\nexit 3\n';
const PROGRAMS = { claude: CLAUDE, code: CODE, failing: FAILING } as const;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Home {
  readonly path = temporaryFolder();
  readonly project = join(this.path, 'work', 'shop');
  readonly #bin = join(temporaryFolder(), 'bin');

  constructor() {
    mkdirSync(this.project, { recursive: true });
    mkdirSync(this.#bin);
  }

  program(name: 'claude' | 'code', as: keyof typeof PROGRAMS = name): this {
    writeFileSync(join(this.#bin, name), PROGRAMS[as]);
    chmodSync(join(this.#bin, name), 0o755);
    return this;
  }

  /** What the stand-ins were told. */
  get ran(): readonly (readonly string[])[] {
    const text = this.read('ran.jsonl') ?? '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string[]);
  }

  write(path: string, text: string | Buffer): string {
    const file = join(this.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.path, path), 'utf8');
    } catch {
      return undefined;
    }
  }

  start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    launcher: readonly string[] = [],
  ): HandoverProcess {
    const options = { env: { HOME: this.path, PATH: this.#bin, ...env }, cwd: this.project, launcher };
    return new HandoverProcess(args, options);
  }

  async run(...args: readonly string[]): Promise<Ended> {
    const process = this.start(args);
    return { code: await process.exited, stdout: process.stdout, stderr: process.stderr };
  }

  /** Every file with its mode and content, but for our own record and what the stand-ins keep. */
  tree(): Readonly<Record<string, string>> {
    const paths = readdirSync(this.path, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:\.local|ran\.jsonl|\.claude\.json)/.test(path))
      .sort();
    return Object.fromEntries(paths.map((path) => [path, this.#shown(path)]));
  }

  #shown(path: string): string {
    const file = join(this.path, path);
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return `-> ${readlinkSync(file)}`;
    return stats.isDirectory()
      ? 'folder'
      : `${(stats.mode & 0o777).toString(8)}\n${readFileSync(file, 'utf8')}`;
  }

  /** The same on every machine. */
  golden(): string {
    const files = Object.entries(this.tree()).filter(([, text]) => text !== 'folder');
    return this.plain(files.map(([path, text]) => `===== ${path} ${text}`).join('\n'));
  }

  plain(text: string): string {
    return text
      .replaceAll(BINARY, '/opt/handover/bin/handover.js')
      .replaceAll(process.execPath, '/usr/bin/node')
      .replaceAll(this.path, '/home/ann')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…');
  }
}
