import { rows } from './row.js';

/** Decision receipts (14) and what-if replay (15) of MACP as it is today. */
export const receiptRequirements = [
  ...rows('MACP-2026', '14.1', {
    'macp-2026:14.1:vectors': 'The commitment hash of vectors 001 to 005 is the published one.',
    'macp-2026:14.1:outside': 'A payload with any other field, at either level, cannot be verified.',
    'macp-2026:14.1:order':
      'Order of fields, explicit defaults and repeated scalars do not change the hash; the last scalar wins.',
    'macp-2026:14.1:claims': 'A claim with a changed digit, in capitals or without its prefix is a mismatch.',
  }),
  ...rows('MACP-2026', '14.2', {
    'macp-2026:14.2:document':
      'The document has the members of macp-receipt/1 and is served in RFC 8785 form.',
    'macp-2026:14.2:independent':
      'JCS and JWS libraries verify what we issue, and we verify what they issue.',
  }),
  ...rows('MACP-2026', '14.3', {
    'macp-2026:14.3:states': 'Only resolved sessions of the five standard modes have a receipt.',
    'macp-2026:14.3:same-bytes':
      'The first receipt made is the only one: for every reader, after a restart, a kill and a change of key.',
    'macp-2026:14.3:readers': 'Readers are those of GetSession; a request counts as a message.',
    'macp-2026:14.3:unsigned-log': 'A log that does not hold gets no receipt.',
  }),
  ...rows('MACP-2026', '14.4', {
    'macp-2026:14.4:jwks':
      'GetReceiptKeys is a JWK Set: active key first, then retired ones, nothing private, kids unique.',
    'macp-2026:14.4:settings':
      'Settings of the signing key that contradict one another stop the start; none is shown.',
    'macp-2026:14.4:well-known': '/.well-known/handover-keys.json is the same text.',
  }),
  ...rows('MACP-2026', '14.5', {
    'macp-2026:14.5:format': 'A document of another format, or that is none, is refused.',
    'macp-2026:14.5:integrity': 'Commitment, hash and wire bytes are compared before any attestation.',
    'macp-2026:14.5:keys': 'Each attestation is valid, invalid, unsupported or by an unknown key.',
    'macp-2026:14.5:attested': 'One valid attestation makes the receipt attested.',
    'macp-2026:14.5:tampering': 'A change of any value is found.',
    'macp-2026:14.5:verify': 'handover verify reads both formats.',
  }),
  ...rows('MACP-2026', '14.6', {
    'macp-2026:14.6:chain': 'The transcript of our receipt is the head of the hash chain.',
  }),
  ...rows('MACP-2026', '15', {
    'macp-2026:15:readers': 'Authorised as GetSession, counted as a message.',
    'macp-2026:15:candidate':
      'A missing candidate is INVALID_REQUEST; one that cannot be registered, or is of another mode, INVALID_POLICY_DEFINITION.',
    'macp-2026:15:outcomes':
      'Each accepted envelope is applied, refused, after the end, or without a session.',
    'macp-2026:15:indexes': 'Indexes count accepted envelopes from 0; controls and expiry have none.',
    'macp-2026:15:divergence': 'The first divergence is named, and nothing when both agree everywhere.',
    'macp-2026:15:denials': 'Every denial of the candidate is listed with its details.',
    'macp-2026:15:nothing-stored': 'Nothing is stored or published.',
    'macp-2026:15:mismatch': 'A history that does not replay as stored is INTERNAL_ERROR.',
    'macp-2026:15:slices': 'A history of 50,000 entries never holds the loop for more than 50 ms.',
  }),
  ...rows('MACP-2026', '3.1', {
    'macp-2026:3.1:receipts': 'Initialize promises receipts and what-if replay.',
  }),
];
