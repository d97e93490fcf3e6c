import { section } from './row.js';

/** 18 what operators know, 19 what SDKs have in common. The page tells of other programs here; what a user could miss is a row. */
export const operationRows = [
  ...section('18', {
    'The names of metrics.': {
      of: '§2-3',
      decision: '18 names of metrics',
      otherwise: 'Ours: macp_<event>_total{mode}, and handover_ for all else.',
      by: ['macp-2026:18:metrics'],
    },
    'OpenTelemetry may be turned on.': {
      of: '§4',
      decision: '2026-11-19-small-differences',
      otherwise: 'The server has none; the SDKs make spans of calls.',
      by: ['macp-2026:17.1:tracing'],
    },
    'The context of a trace is in no envelope and in no history.': ['§5', 'macp-2026:17.1:tracing'],
    'SIGTERM and SIGINT end the server in order.': ['§6', 'macp-2026:18:drain'],
    'Storage is file, RocksDB or Redis.': {
      of: '§7',
      decision: '2026-11-19-small-differences',
      otherwise:
        'It is SQLite (file means that, too), PostgreSQL or memory; with any other name the server does not start.',
      by: ['macp-2026:18:storage'],
    },
    'One process writes.': ['§8', 'macp-2026:18:single-writer'],
    'Sessions that have ended are compacted by default.': {
      of: '§10',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'They keep their history.',
      by: ['decision:history:kept'],
    },
    'A TTL of 24 hours, 1000 participants, 1 MiB of payload, 30 seconds for a request.': [
      '§11',
      'start:5:ttl',
      'start:7:participants',
      'send:5:payload-limit',
      'macp-2026:18:limits',
    ],
    '128 streams, 64 requests at once for each connection.': {
      of: '§11',
      decision: '2026-11-19-small-differences',
      otherwise: '1,024 streams; requests wait in one queue for all connections.',
      by: ['macp-2026:18:limits'],
    },
    'MACP_POLICIES_DIR makes the registry read-only.': ['§12', 'macp-2026:2:registry-read-only'],
    'MACP_POLICIES_DRY_RUN=1 checks the folder.': {
      of: '§13',
      decision: '2026-11-19-small-differences',
      otherwise: 'The folder is always checked; the setting is ignored with a warning.',
      by: ['macp-2026:18:ignored'],
    },
    'MACP_AUDIT_LEVEL says what is logged for audit.': {
      of: '§14',
      decision: '2026-11-19-small-differences',
      otherwise: 'Audit lines are always written, whatever policy or setting says.',
      by: ['decision:security:audit'],
    },
  }),
  ...section('19', {
    'The same defaults of versions and policies.': ['§4', 'macp-2026:19:defaults'],
    'TLS unless told otherwise.': {
      of: '§6',
      decision: '19 TLS and retries',
      otherwise: 'The same, but for loopback, which is plaintext unless TLS is asked for.',
      by: ['macp-2026:19:tls'],
    },
    'Retries: three, 0.1 s doubling to 2 s, without jitter.': {
      of: '§5',
      decision: '19 TLS and retries',
      otherwise: 'The same; what cannot pass is not tried again.',
      by: ['macp-2026:19:retry'],
    },
    'Errors carry code, macp_code, reasons and denials.': ['§7', 'macp-2026:19:errors'],
    'Sessions of every mode have these helpers.': ['§8-14,16', 'macp-2026:19:helpers'],
    'Words are put into their case before they are sent.': ['§15', 'macp-2026:19:words'],
    'Projections: once for each message id, and committed for good.': ['§17-19', 'macp-2026:19:projections'],
    'Anomalies, phases and statuses have these words; the queries that were added.': [
      '§20-31',
      'macp-2026:19:projections',
    ],
    'The effective threshold of a Quorum session.': ['§32', 'macp-2026:19:threshold'],
    'Receipts and what-if replay, where they are advertised.': ['§33-35', 'macp-2026:19:receipts'],
    'Agents from a bootstrap file.': ['§36-37', 'macp-2026:19:bootstrap'],
    'They read from the start, and wait for a session that is not there yet.': ['§38', 'macp-2026:19:waits'],
  }),
];
