import { bindingRows } from './binding.js';
import { callRows } from './calls.js';
import { checklistRows } from './checklist.js';
import { clarificationRows } from './clarifications.js';
import { modeRows } from './modes.js';
import { operationRows } from './operation.js';
import { policyRows } from './policies.js';
import { receiptRows } from './receipts.js';
import type { PageRow } from './row.js';
import { sessionRows } from './sessions.js';
import { wireRows } from './wire.js';

/** The protocol's page of 2026, statement by statement. docs/spec/macp-2026.md says in its own words what we do. */
export const macp2026: readonly PageRow[] = [
  ...clarificationRows,
  ...wireRows,
  ...callRows,
  ...sessionRows,
  ...policyRows,
  ...modeRows,
  ...receiptRows,
  ...bindingRows,
  ...operationRows,
  ...checklistRows,
];
