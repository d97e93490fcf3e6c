/** The `handover` command. Its version is asked for by scripts and at every start of some tools: that loads nothing else. */
import { VERSION } from '../version.js';
import { surviveLostReaders } from './nobody-reads.js';

export async function main(argv: readonly string[]): Promise<void> {
  surviveLostReaders();
  if (argv.length === 3 && (argv[2] === '--version' || argv[2] === '-V')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const { run } = await import('./run.js');
  await run(argv);
}
