/** All attacks, in the order of the list of findings. */
import type { Attack } from '../attack.js';
import { costlyDocuments } from './h01-costly-documents.js';
import { hostileFolders } from './h01-hostile-folders.js';
import { hostileTexts } from './h01-hostile-texts.js';
import { stuckReaders } from './h03-stuck-readers.js';
import { registryWatches } from './h04-registry-watches.js';
import { stuckChain } from './h05-stuck-chain.js';
import { mcpSessions } from './h09-mcp-sessions.js';
import { dearBodies } from './h10-dear-bodies.js';
import { trustedProxy } from './h12-trusted-proxy.js';
import { lockedOutPerson } from './h13-locked-out-person.js';
import { namesAndCredentials } from './h14-names-and-credentials.js';
import { manyStreams } from './h15-many-streams.js';
import { startLimits } from './h16-start-limits.js';
import { refusedFriends } from './h17-refused-friends.js';
import { failingStarts } from './h18-failing-starts.js';

export const ATTACKS: readonly Attack[] = [
  costlyDocuments,
  hostileTexts,
  hostileFolders,
  stuckReaders,
  registryWatches,
  stuckChain,
  mcpSessions,
  dearBodies,
  trustedProxy,
  lockedOutPerson,
  namesAndCredentials,
  manyStreams,
  startLimits,
  refusedFriends,
  failingStarts,
];

export function attackOn(row: string): Attack {
  const attack = ATTACKS.find((one) => one.row === row);
  if (!attack)
    throw new Error(`there is no attack ${row}; there are ${ATTACKS.map((one) => one.row).join(', ')}`);
  return attack;
}
