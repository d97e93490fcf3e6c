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
    'macp-2026:2:definition-prefix':
      'The refusal of a definition begins with INVALID_POLICY_DEFINITION, that of a taken id does not.',
  }),
  ...rows('MACP-2026', '3', {
    'macp-2026:3.3:ordinals':
      'Suspend, resume, cancel and expiry take no ordinal, and are delivered to nobody who does not ask for them.',
    'macp-2026:3.3:controls-on-request':
      'Who asks with handover-control: 1 gets suspend, resume and cancel, without an ordinal or an id.',
    'macp-2026:3.6:sender-authenticated':
      'A signal says whether its sender comes from a verified credential; in dev mode it does not.',
  }),
  ...rows('MACP-2026', '4', {
    'macp-2026:4.1:id-length': 'A session that is started has an id of at most 128 bytes.',
  }),
  ...rows('MACP-2026', '4.4', {
    'macp-2026:4.4:cycles': 'A session is resumed at most 1024 times; then it expires.',
  }),
  ...rows('MACP-2026', '5', {
    'macp-2026:5.1:extension-authority':
      'In extension modes the initiator commits, whatever the policy says.',
  }),
  ...rows('MACP-2026', '10', {
    'macp-2026:10.4:implicit-first':
      'A HandoffAccept that says implicit is INVALID_ENVELOPE before anything about its offer is looked at.',
  }),
  ...rows('MACP-2026', '13', {
    'macp-2026:13:schema-uris':
      'The descriptors of built-in modes name their protobuf under the key protobuf.',
  }),
  ...rows('MACP-2026', '6', {
    'macp-2026:6:notes': 'Keys that begin with _ or $ are notes: allowed wherever keys are closed, and kept.',
    'macp-2026:6:vendor-keys':
      'x-handover.rules is taken for Handoff and for every mode; other vendor keys are refused.',
    'macp-2026:6:any-mode': 'A policy for * may use the keys of all modes and must be right for each.',
    'macp-2026:6:domains': 'A value outside its domain is refused at registration.',
    'macp-2026:6:std': 'Under policy.std. there are three profiles, built in, and nothing else.',
    'macp-2026:6:default-shown': 'GetPolicy shows what policy.default means.',
  }),
];
