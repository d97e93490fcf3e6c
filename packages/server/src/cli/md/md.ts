/** `handover md`: working sessions as HANDOFF.md, and back. */
import type { Command } from 'commander';
import { describeMdExport } from './export.js';
import { describeMdImport } from './import.js';

export function describeMd(md: Command): void {
  md.helpCommand(false);
  describeMdExport(md.command('export').description('Write where the work stands as a HANDOFF.md.'));
  describeMdImport(md.command('import').description('Hand over what a HANDOFF.md says.'));
}
