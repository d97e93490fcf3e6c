import { bindingRows } from './binding.js';
import { callRows } from './calls.js';
import { checklistRows } from './checklist.js';
import { modeRows } from './modes.js';
import { policyRows } from './policies.js';
import { receiptRows } from './receipts.js';
import type { PageRow } from './row.js';
import { sessionRows } from './sessions.js';
import { wireRows } from './wire.js';

/** The protocol's page of 2026, statement by statement. docs/spec/macp-2026.md says in its own words what we do. */
export const macp2026: readonly PageRow[] = [
  ...wireRows,
  ...callRows,
  ...sessionRows,
  ...policyRows,
  ...modeRows,
  ...receiptRows,
  ...bindingRows,
  ...checklistRows,
];

/** The sections that the page has, from its own numbers: 18 and 19 only where we do otherwise, 20 does not exist. */
export const SECTIONS: readonly string[] = [
  ...['1', '1.1', '1.2', '1.3'],
  ...['2', '2.1', '2.2', '2.3', '2.4', '2.5'],
  ...['3.1', '3.2', '3.3', '3.4', '3.5', '3.6', '3.7', '3.8', '3.9'],
  ...['4.1', '4.2', '4.3', '4.4', '4.5', '4.6'],
  ...['5.1', '5.2', '5.3', '5.4'],
  ...['6.1', '6.2', '6.3', '6.4', '6.5', '6.6', '6.7'],
  ...['7', '7.1', '7.2', '7.3', '7.4', '7.5'],
  ...['8', '8.1', '8.2', '8.3', '8.4'],
  ...['9', '9.1', '9.2', '9.3'],
  ...['10', '10.1', '10.2', '10.3', '10.4', '10.5', '10.6'],
  ...['11', '11.1', '11.2', '11.3'],
  ...['12', '13'],
  ...['14.1', '14.2', '14.3', '14.4', '14.5', '14.6'],
  ...['15', '16'],
  ...['17.1', '17.2', '17.3', '17.4'],
  ...['18', '19', '21'],
];
