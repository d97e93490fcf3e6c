/**
 * The `handover` command. Its version is asked for by scripts and at every start of some tools: that loads nothing else.
 */
import { VERSION } from '../version.js';
import { surviveLostReaders } from './nobody-reads.js';

export async function main(argv: readonly string[]): Promise<void> {
  surviveLostReaders();
  if (argv.length === 3 && (argv[2] === '--version' || argv[2] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  // A client waits for its hooks at every turn, so they do not even load the command line's library.
  if (argv[2] === 'hook' && !argv.includes('--help') && !argv.includes('-h')) {
    const { runHook } = await import('./capture/run-hook.js');
    return runHook(argv.slice(3));
  }
  const { run } = await import('./run.js');
  await run(argv);
}
