/**
 * The command as it is packed: one bundle beside its pages. It stands where Node finds the dependencies in the versions
 * that the package asks for; those that differ from ours are the ones of packages/evm.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function packedCommand(): Promise<string> {
  const { stageCommand } = (await import(join(root, 'scripts/pack/command.mjs'))) as {
    stageCommand(root: string, folder: string): Promise<void>;
  };
  const folder = join(root, 'packages/evm/node_modules/.bench-command');
  await stageCommand(root, folder);
  return join(folder, 'bin/handover.js');
}
