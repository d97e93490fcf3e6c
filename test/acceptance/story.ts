/**
 * Two assistants in an empty home, as a person would have them. The first ends three times: without a word, with one
 * call, and with a file. Each time the second goes on with one call. Told as the commands, hooks and calls that were
 * made, with ids and times replaced.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Home } from '../cli/install/support.js';
import type { Payload } from '../kit/mcp-clients.js';
import { until } from '../kit/until.js';
import { kill, serversOn } from '../stdio/support.js';
import { InstalledAssistant } from './installed-assistant.js';

const SESSION = '6f1c2b3a-0d4e-4c55-9a10-2b7f3d9e1a01';
const OTHER = '0a9b8c7d-6e5f-4a3b-8c1d-2e3f4a5b6c7d';

export class Story {
  readonly home = new Home().program('claude');
  readonly claude = new InstalledAssistant(this.home, 'claude', { session: SESSION, era: 'modern' });
  readonly codex = new InstalledAssistant(this.home, 'codex', { session: OTHER, era: 'legacy' });
  readonly results: { tool: string; result: Payload }[] = [];
  readonly #lines: string[] = [];
  readonly #names = new Map<string, string>();

  constructor() {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
        cwd: this.home.project,
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      });
    git('init', '-q', '-b', 'faster-import');
    mkdirSync(join(this.home.project, 'src'));
    writeFileSync(join(this.home.project, 'src', 'queue.ts'), 'export const lock = 1;\n');
    git('add', '.');
    git('commit', '-q', '-m', 'The queue as it was');
    writeFileSync(join(this.home.project, 'src', 'queue.ts'), 'export const lock = 0;\n');
  }

  async command(
    ...args: readonly string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const ended = await this.home.run(...args);
    this.#lines.push(`$ handover ${args.join(' ')}`, ...shown(ended.stdout), ...shown(ended.stderr), '');
    return ended;
  }

  async hook(who: InstalledAssistant, event: string, more: Readonly<Record<string, unknown>> = {}) {
    const text = await who.hook(event, more);
    const about = Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : '';
    this.#lines.push(`${who.name}: hook ${event}${about}`, ...shown(text), '');
    return text;
  }

  async call(
    who: InstalledAssistant,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    show: (result: Payload) => Readonly<Record<string, unknown>>,
  ): Promise<Payload> {
    const result = await who.call(tool, args);
    this.results.push({ tool, result });
    const { text, ...rest } = show(result);
    this.#lines.push(`${who.name} → ${tool} ${JSON.stringify(args)}`, `  ← ${JSON.stringify(rest)}`);
    if (typeof text === 'string') this.#lines.push(...shown(text));
    this.#lines.push('');
    return result;
  }

  /** What stands in a file. */
  file(path: string): void {
    this.#lines.push(`$ cat ${path}`, ...shown(readFileSync(path, 'utf8')), '');
  }

  aside(text: string): void {
    this.#lines.push(`… ${text}`, '');
  }

  /** Ids differ in every run: they get names. */
  name(value: string, name: string): void {
    this.#names.set(value, name);
  }

  /** What was done since this was last asked. */
  take(): string {
    let text = this.home.plain(this.#lines.splice(0).join('\n')).trim();
    for (const [value, name] of this.#names) text = text.replaceAll(value, name);
    return text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/\b\d+ (?:s|min) ago|\bjust now/g, '<a moment ago>')
      .replaceAll(/\b[0-9a-f]{7}\b(?= The queue)/g, '<commit>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
      .replaceAll(/\bkey [0-9a-f]{16}\b/g, 'key <key>');
  }

  /** What an event left behind has reached the log: a session that the other can see. */
  async seenBy(who: InstalledAssistant, text: string): Promise<void> {
    await until(
      () => who.hook('SessionStart', { source: 'startup' }),
      (seen) => seen.includes(text),
      { everyMs: 100 },
    );
  }

  async end(): Promise<void> {
    this.claude.die();
    await this.codex.close();
    for (const pid of serversOn(this.home.path)) kill(pid, 'SIGTERM');
    await until(() => serversOn(this.home.path).length === 0);
  }
}

const shown = (text: string): readonly string[] =>
  text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`.trimEnd());
