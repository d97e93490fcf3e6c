/** How much is shown, listed and stored: rows of the table of fixed limits. */
import { MAX_FINDINGS } from '@handover/core';
import type { FixedLimit } from './fixed-limits.js';

const MIB = 1_048_576;

export const documentFixedLimits = {
  documentBytes: {
    what: 'A stored document of an operation that is shown and checked beside everything else',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the thread for large documents does it, and results of MCP tools leave the document out',
  },
  smallResultBytes: {
    what: 'A result posted by a page that is read and searched for keys beside everything else',
    value: 32_768,
    unit: 'bytes',
    beyond: 'the thread for large documents does it',
  },
  shownEvents: {
    what: 'Events that the view of an operation shows, beside the first',
    value: 500,
    unit: 'count',
    beyond: 'the oldest of them are left out',
  },
  shownEventBytes: {
    what: 'The same in bytes',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the oldest of them are left out',
  },
  listBytes: {
    what: 'A page of a list of sessions, working sessions, handoffs or operations',
    value: 262_144,
    unit: 'bytes',
    beyond:
      'the page ends after the item that passes it; its cursor, where the list has one, says where to go on',
  },
  sessionListBytes: {
    what: 'A page of ListSessions and of GET /macp/session',
    value: MIB,
    unit: 'bytes',
    beyond: 'the page ends after the session that passes it, and next_page_token says where to go on',
  },
  countedSessions: {
    what: 'Working sessions that are counted for the total of their list',
    value: 1_000,
    unit: 'count',
    beyond: 'the total is this number',
  },
  offersInList: {
    what: 'Offers of one session that a list of handoffs shows',
    value: 100,
    unit: 'count',
    beyond: 'the oldest of them are left out',
  },
  shownTextLength: {
    what: 'Scope and reasons of a handoff as MCP shows them, in characters',
    value: 4_096,
    unit: 'count',
    beyond: 'they are cut; the MACP session holds them whole',
  },
  listReadBytes: {
    what: 'Large documents that are read for a list of operations',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'the list ends there; `before` goes on',
  },
  bundleResultBytes: {
    what: 'The result that a page posts for a bundle deploy',
    value: 8 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 413',
  },
  sessionResultBytes: {
    what: 'The result that a page posts for a session start',
    value: 2 * MIB,
    unit: 'bytes',
    beyond: 'HTTP 413',
  },
  recordBytes: {
    what: 'A stored document of an operation',
    value: 10 * MIB,
    unit: 'bytes',
    beyond: 'PAYLOAD_TOO_LARGE; the doors take less',
  },
  contextPageBytes: {
    what: 'A page of context entries',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the page ends after the entry that passes it; `hasMore` says so',
  },
  contractTextBytes: {
    what: 'A text that a contract holds: a rule, an orchestration',
    value: 262_144,
    unit: 'bytes',
    beyond: 'it reads as no text; storing as much takes the gas of several blocks',
  },
  findings: {
    what: 'Errors, and warnings, that a validation lists',
    value: MAX_FINDINGS,
    unit: 'count',
    beyond: 'they are counted in `omitted`',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
