import { rows } from './row.js';

/** The wire of the protocol package 0.1.13: what is new in it, or was corrected, since the first specification. */
export const wire2026Requirements = [
  ...rows('MACP-2026', '2', {
    'macp-2026:2:code-trailer': 'Every gRPC status carries the code of the registry in macp-error-code.',
    'macp-2026:2:statuses': 'Each code has the gRPC status and the HTTP status of the table.',
    'macp-2026:2:details-trailer': 'macp-error-details-bin has the bytes of MACPError.details.',
    'macp-2026:2:denials': 'Details of POLICY_DENIED hold reasons and denials with code and participants.',
    'macp-2026:2:registry-read-only':
      'Changing policies that come from files is FAILED_PRECONDITION with REGISTRY_READ_ONLY.',
    'macp-2026:2:invalid-request':
      'A negative page size, a foreign token, a missing descriptor and Initialize without versions are INVALID_REQUEST.',
    'macp-2026:2:agent-not-found': 'GetManifest for an agent that is not hosted here is AGENT_NOT_FOUND.',
    'macp-2026:2:unknown-policy': 'GetPolicy of an unknown id is NOT_FOUND with UNKNOWN_POLICY_VERSION.',
  }),
  ...rows('MACP-2026', '3', {
    'macp-2026:3.6:sender-authenticated':
      'A signal says whether its sender comes from a verified credential; in dev mode it does not.',
  }),
];
