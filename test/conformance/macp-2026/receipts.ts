import { section } from './row.js';

/** 14 Decision receipts, 15 what-if replay. */
export const receiptRows = [
  ...section('14.1', {
    'The projection, its canonical form, the label and the hash; vectors 001 to 005.': [
      '§2-5,15-20',
      'macp-2026:14.1:vectors',
    ],
    'Other fields at either level cannot be verified (006, 009).': [
      '§5-6,14,21,24',
      'macp-2026:14.1:outside',
    ],
    'Order and explicit defaults do not matter, the last scalar wins.': ['§7-8', 'macp-2026:14.1:order'],
    'Claims that differ or are not canonical are a mismatch (007, 008, 010).': [
      '§12-13,22-23,25',
      'macp-2026:14.1:claims',
    ],
  }),
  ...section('14.2', {
    'The members of the document; the served text is canonical.': ['§2-14,19', 'macp-2026:14.2:document'],
    'The detached JWS, by libraries of others, both ways.': ['§15-18', 'macp-2026:14.2:independent'],
  }),
  ...section('14.3', {
    'Resolved sessions of the standard modes only; else RECEIPT_UNAVAILABLE.': [
      '§2-4',
      'macp-2026:14.3:states',
    ],
    'Made once, the same bytes for ever.': ['§5', 'macp-2026:14.3:same-bytes'],
    'It is deleted with its session.': {
      of: '§6',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'Nothing removes a session yet, so a receipt stays.',
      by: ['macp-2026:14.3:same-bytes', 'decision:history:kept'],
    },
    'No message waits for one.': ['§7', 'macp-2026:14.3:asked-for'],
    'Without signatures it is valid.': ['§10', 'macp-2026:14.3:unsigned'],
    'Readers as GetSession, counted as a message.': ['§8-9', 'macp-2026:14.3:readers'],
    'Not for a log that does not hold.': ['§4', 'macp-2026:14.3:unsigned-log'],
  }),
  ...section('14.4', {
    'The key set: order, members, nothing private.': ['§2-5', 'macp-2026:14.4:jwks'],
    'The settings.': ['§6-9', 'macp-2026:14.4:settings'],
    'A PEM needs a kid.': {
      of: '§7',
      decision: '2026-11-18-receipts-of-the-protocol',
      otherwise: 'Without one it is named by the digest of its public key.',
      by: ['macp-2026:14.4:settings'],
    },
    'The key set at the well-known address.': ['§2', 'macp-2026:14.4:well-known'],
  }),
  ...section('14.5', {
    'The format must be known.': ['§2', 'macp-2026:14.5:format'],
    'Integrity first.': ['§3-6', 'macp-2026:14.5:integrity'],
    'Each attestation against the keys that are trusted.': ['§7-12,14-15', 'macp-2026:14.5:keys'],
    'The verdict, and the vector.': ['§13,16-17', 'macp-2026:14.5:attested'],
    'A change of any value is found.': ['§4-5', 'macp-2026:14.5:tampering'],
    'The verify command.': ['§16', 'macp-2026:14.5:verify'],
  }),
  ...section('14.6', {
    'Beside our own receipt, from the same log and key.': ['§2-8', 'macp-2026:14.6:chain'],
  }),
  ...section('15', {
    'Who may ask, and that it counts.': ['§2-3', 'macp-2026:15:readers'],
    'What a candidate must be.': ['§4-7', 'macp-2026:15:candidate'],
    'HISTORY_UNAVAILABLE when the history is gone.': {
      of: '§8',
      decision: '2026-11-15-history-is-kept',
      otherwise: 'It is never sent.',
      by: ['decision:history:kept'],
    },
    'A history that does not replay as stored is INTERNAL_ERROR.': ['§9', 'macp-2026:15:mismatch'],
    'Nothing is stored or published.': ['§10', 'macp-2026:15:nothing-stored'],
    'Entries and their indexes.': ['§11-12,16', 'macp-2026:15:indexes'],
    'The kinds of outcome.': ['§13-16', 'macp-2026:15:outcomes'],
    'Denials of the candidate.': ['§17', 'macp-2026:15:denials'],
    'The first divergence.': ['§18-19', 'macp-2026:15:divergence'],
    'In slices.': ['§20', 'macp-2026:15:slices'],
  }),
];
