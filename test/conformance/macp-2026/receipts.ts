import { section } from './row.js';

/** 14 Decision receipts, 15 what-if replay. */
export const receiptRows = [
  ...section('14.1', {
    'The projection, its canonical form, the label and the hash; vectors 001 to 005.': [
      'macp-2026:14.1:vectors',
    ],
    'Other fields at either level cannot be verified (006, 009).': ['macp-2026:14.1:outside'],
    'Order and explicit defaults do not matter, the last scalar wins.': ['macp-2026:14.1:order'],
    'Claims that differ or are not canonical are a mismatch (007, 008, 010).': ['macp-2026:14.1:claims'],
  }),
  ...section('14.2', {
    'The members of the document; the served text is canonical.': ['macp-2026:14.2:document'],
    'The detached JWS, by libraries of others, both ways.': ['macp-2026:14.2:independent'],
  }),
  ...section('14.3', {
    'Resolved sessions of the standard modes only; else RECEIPT_UNAVAILABLE.': ['macp-2026:14.3:states'],
    'Made once, the same bytes for ever.': ['macp-2026:14.3:same-bytes'],
    'Readers as GetSession, counted as a message.': ['macp-2026:14.3:readers'],
    'Not for a log that does not hold.': ['macp-2026:14.3:unsigned-log'],
  }),
  ...section('14.4', {
    'The key set: order, members, nothing private.': ['macp-2026:14.4:jwks'],
    'The settings.': ['macp-2026:14.4:settings'],
    'The key set at the well-known address.': ['macp-2026:14.4:well-known'],
  }),
  ...section('14.5', {
    'The format must be known.': ['macp-2026:14.5:format'],
    'Integrity first.': ['macp-2026:14.5:integrity'],
    'Each attestation against the keys that are trusted.': ['macp-2026:14.5:keys'],
    'The verdict, and the vector.': ['macp-2026:14.5:attested'],
    'A change of any value is found.': ['macp-2026:14.5:tampering'],
    'The verify command.': ['macp-2026:14.5:verify'],
  }),
  ...section('14.6', {
    'Beside our own receipt, from the same log and key.': ['macp-2026:14.6:chain'],
  }),
  ...section('15', {
    'Who may ask, and that it counts.': ['macp-2026:15:readers'],
    'What a candidate must be.': ['macp-2026:15:candidate'],
    'HISTORY_UNAVAILABLE when the history is gone.': {
      otherwise: 'It is never sent.',
      by: ['decision:history:kept'],
    },
    'A history that does not replay as stored is INTERNAL_ERROR.': ['macp-2026:15:mismatch'],
    'Nothing is stored or published.': ['macp-2026:15:nothing-stored'],
    'Entries and their indexes.': ['macp-2026:15:indexes'],
    'The kinds of outcome.': ['macp-2026:15:outcomes'],
    'Denials of the candidate.': ['macp-2026:15:denials'],
    'The first divergence.': ['macp-2026:15:divergence'],
    'In slices.': ['macp-2026:15:slices'],
  }),
];
