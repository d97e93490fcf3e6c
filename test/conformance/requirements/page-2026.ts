import { rows } from './row.js';

/** What the protocol's page of 2026 says outside of its own subjects: clarifications, bounds of our own, operation, SDKs. */
export const page2026Requirements = [
  ...rows('MACP-2026', '0', {
    'macp-2026:0:older-keys': 'A registration that was made under older keys is decided again as it was.',
    'macp-2026:0:digest':
      'Facts of a contribution hold a digest with the session’s id; the pages say that it can be guessed.',
    'macp-2026:0:own-receipt': 'Our own receipt is of every session that has ended.',
  }),
  ...rows('MACP-2026', '2.2', {
    'macp-2026:2.2:short': 'Details of more than 2,048 bytes are in the Ack alone.',
  }),
  ...rows('MACP-2026', '6.3', {
    'macp-2026:6.3:weights': 'A weight above 1e15 is refused in new policies and at the start of a session.',
    'macp-2026:6.3:roles':
      'More than 100 designated senders are refused in new policies and at the start of a session.',
  }),
  ...rows('decisions', 'Runtime details', {
    'decision:ids:introduced':
      'Ids that a message of any mode introduces have 1 to 256 bytes and no control characters.',
  }),
  ...rows('MACP-2026', '13', {
    'macp-2026:13:runtime-types':
      'A new mode lists nothing that only the runtime writes, nor Signal and Progress.',
    'macp-2026:13:speakers': 'A session that lists nobody hears 1,000 senders at most.',
    'macp-2026:13:bounds': 'A tenant has a bounded number of policies and modes, and of their bytes.',
  }),
  ...rows('MACP-2026', '14.3', {
    'macp-2026:14.3:asked-for': 'A receipt is made when it is asked for, not by the Commitment.',
    'macp-2026:14.3:unsigned': 'A receipt without attestations is whole: integrity_only.',
  }),
  ...rows('MACP-2026', '16', {
    'macp-2026:16:long-numbers': 'A number of more than 400 characters is refused.',
  }),
  ...rows('MACP-2026', '18', {
    'macp-2026:18:drain':
      'SIGTERM and SIGINT end the server in order: streams are told, what was accepted is kept.',
    'macp-2026:18:storage': 'The store is SQLite, PostgreSQL or memory; another name stops the start.',
    'macp-2026:18:single-writer': 'A second process on the same data folder does not start.',
    'macp-2026:18:limits':
      'A request has 30 seconds, a payload 1 MiB, a connection 1,024 streams by default.',
    'macp-2026:18:ignored': 'Settings of other runtimes that do nothing here are named in a warning.',
  }),
  ...rows('MACP-2026', '19', {
    'macp-2026:19:defaults': 'What a session is started with if nothing is said is what all SDKs say.',
    'macp-2026:19:errors': 'Errors carry the code of the protocol, reasons and denials.',
    'macp-2026:19:helpers': 'Every mode has a session with a helper for each message.',
    'macp-2026:19:words': 'Votes, recommendations and severities are sent in their own case.',
    'macp-2026:19:projections': 'Projections count a message once, name anomalies, and stay committed.',
    'macp-2026:19:threshold': 'The effective threshold of a Quorum session can be asked for.',
    'macp-2026:19:receipts': 'Receipts and what-if replay are asked for only where they are advertised.',
    'macp-2026:19:bootstrap': 'An agent is made from a bootstrap file.',
    'macp-2026:19:waits': 'An agent waits for a session that does not exist yet.',
  }),
];
