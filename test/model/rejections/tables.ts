/** The tables of docs/reference/rejections.md: each mode under policy.default, and under policies that make a difference. */
import { decisionTables } from './decision.js';
import { handoffTables } from './handoff.js';
import { multiRoundTables } from './multi-round.js';
import { proposalTables } from './proposal.js';
import { quorumTables } from './quorum.js';
import type { Table } from './table.js';
import { taskTables } from './task.js';

let made: readonly Table[] | undefined;

/** Made once: the walks take seconds. */
export function tables(): readonly Table[] {
  made ??= [
    decisionTables,
    proposalTables,
    taskTables,
    handoffTables,
    quorumTables,
    multiRoundTables,
  ].flatMap((each) => each());
  return made;
}
