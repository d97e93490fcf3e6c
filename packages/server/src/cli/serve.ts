/** `handover serve`: reads the configuration, starts the server, says so in one line on stdout, waits for a signal. */
import { type Command, Option } from 'commander';
import {
  type Configuration,
  type ConfigurationFlags,
  readConfiguration,
  settings,
} from '../config/configuration.js';
import type { Setting } from '../config/setting.js';
import { type OtherName, otherNames } from '../config/settings/other-names.js';
import { watchIdle } from '../doors/socket/idle.js';
import { devBanner } from '../observe/banner.js';
import { createLog } from '../observe/log.js';
import { readyLine } from '../observe/ready-line.js';
import { startServer } from '../server.js';
import { acting } from './conventions/acting.js';
import { ExitCode } from './conventions/exit-code.js';
import { settingsOf } from './conventions/failure.js';
import { type DataFlags, withDataDir } from './conventions/flags.js';
import { createShutdown } from './shutdown.js';

export function describeServe(command: Command): void {
  command
    .option(
      '--dev',
      'trust every caller on this machine: a bearer value is the agent of that name (loopback only)',
    )
    .addOption(new Option('--for-assistants', 'as `handover mcp` starts it').hideHelp())
    .option('--memory-only', 'keep nothing on disk')
    .option('--bind <ip:port>', 'gRPC address; port 0 takes any free one')
    .option('--http-host <ip>', 'HTTP address')
    .option('--http-port <port>', 'HTTP port; 0 takes any free one')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .addHelpText('after', settingsHelp);
  withDataDir(command, 'where the log lives');
  acting(
    command,
    [ExitCode.Failed, ExitCode.Usage],
    (_, { data, ...flags }: ConfigurationFlags & DataFlags) =>
      serve({ ...(data !== undefined && { dataDir: data }), ...flags }),
  );
}

async function serve(flags: ConfigurationFlags): Promise<ExitCode> {
  const configuration = settingsOf(() => readConfiguration(process.env, flags));
  const log = createLog({ level: configuration.logLevel });
  for (const warning of configuration.warnings) log.warn('configuration', { message: warning });
  const shutdown = createShutdown({ drainMs: configuration.limits.shutdownDrainMs, log });
  const server = await startServer(configuration, {
    log,
    // After an unknown outcome nothing in memory can be trusted; a fresh start reads what really was stored.
    onFatal: ({ code, shortMessage }) => {
      log.error('server.ends', {
        code,
        message: `${shortMessage}; start the server again, it reads what was stored`,
      });
      process.exit(1);
    },
    onStop: () => void shutdown.run('stop').then((code) => process.exit(code)),
  });
  shutdown.add('server', (deadline) => server.close(deadline));
  shutdown.install();
  if (configuration.forAssistants) {
    const end = () => void shutdown.run('idle').then((code) => process.exit(code));
    watchIdle({ idleMs: configuration.idleMs, isBusy: server.isBusy, onIdle: end });
    return ExitCode.Done;
  }
  if (configuration.auth.kind === 'dev') process.stderr.write(devBanner(folderOfLog(configuration)));
  process.stdout.write(`${readyLine(server)}\n`);
  return ExitCode.Done;
}

/** A database is named by its operator, who knows where it is. */
const folderOfLog = ({ store }: Configuration): string | undefined =>
  store.kind === 'sqlite' ? store.folder : undefined;

function defaultsOf({ default: fallback, devDefault }: Pick<Setting, 'default' | 'devDefault'>): string {
  if (fallback === '') return '';
  return devDefault === undefined ? ` [${fallback}]` : ` [${fallback}; with --dev ${devDefault}]`;
}

function settingsHelp(): string {
  const shown: readonly (Setting | OtherName)[] = [...settings, ...otherNames];
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(
    (setting) => `  ${setting.name.padEnd(width)}  ${setting.description}${defaultsOf(setting)}`,
  );
  return `\nSettings from the environment:\n${lines.join('\n')}\n`;
}
