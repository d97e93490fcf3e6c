import { rows } from './row.js';

/** Commitment authority by policy (3.7), registration (4.2), rule schema (4.3), binding (4.4), removal (4.5). */
export const policyRequirements = [
  ...rows('MACP', '3.7', {
    'policy:authority:initiator-only': 'initiator_only, or no authority rule, lets the initiator commit.',
    'policy:authority:any-participant': 'any_participant lets every declared participant commit.',
    'policy:authority:designated-role':
      'designated_role lets exactly the listed senders commit; the initiator is not implied.',
    'policy:authority:designated-outsider': 'A designated sender need not be a participant.',
  }),
  ...rows('MACP', '4.2', {
    'policy:1:read-only-registry':
      'With policies loaded from files, registration is FAILED_PRECONDITION, before any credential is read.',
    'policy:2:authenticated': 'Registration without a valid credential is UNAUTHENTICATED.',
    'policy:3:may-manage': 'Registration without the right to manage registries is PERMISSION_DENIED.',
    'policy:4:descriptor-present': 'Registration without a descriptor is INVALID_ARGUMENT.',
    'policy:5:id-present': 'A blank policy id is refused.',
    'policy:5:default-reserved': 'policy.default cannot be registered; the text says reserved.',
    'policy:5:schema-version': 'Schema versions 1, 2 and 3 are accepted, all others refused.',
    'policy:5:rules-object': 'Rules that are not a JSON object are refused; empty rules mean {}.',
    'policy:5:rules-typed': 'Values of the wrong type or outside their domain are refused.',
    'policy:5:designated-roles': 'designated_role without a role is refused.',
    'policy:5:immutable-id': 'A registered id cannot be registered again; the text says already registered.',
    'policy:5:known-authority': 'An unknown authority is refused.',
    'policy:registered-at': 'The runtime sets the registration time.',
  }),
  ...rows('MACP', '4.3', {
    'policy:schema:known-keys':
      'The timeout for accepts, authority, roles, and our own rules under x-handover.rules are the known rules.',
  }),
  ...rows('MACP', '4.4', {
    'policy:bound:frozen': 'A running session keeps the rules it was started with.',
    'policy:bound:any-mode': 'A policy for * governs a handoff session.',
  }),
  ...rows('MACP', '4.5', {
    'policy:unregister': 'A registered policy can be removed; policy.default and unknown ids cannot.',
  }),
];
