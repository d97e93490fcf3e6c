import type { RequirementId } from './requirements.js';

/**
 * Requirements that no fixture can show, and why. Each needs a hand-written test that cites it with `verifies`;
 * coverage.test.ts holds this list equal to the rows without a fixture.
 */
export const notFixtures = {
  'send:0:envelope-present': 'a request without an envelope has no message step to stand for it',
  'start:15:race': 'needs two starts in flight at once',
  'message:11:published': 'needs a live subscriber; a fixture reads the history afterwards',
  'commit:10:policy':
    'registration refuses every policy that could deny; needs a decider with such rules, or a log',
  'implicit:replay': 'needs the log folded again without a clock',
  'policy:registered-at': 'shown by GetPolicy and ListPolicies, which fixtures do not call',
  'handoff:context:late-not-input': 'shown by the frozen digest and the views, not by an Ack',
  'handoff:determinism:claimed': 'shown by the mode descriptor in ListModes',
  'handoff:determinism:frozen-context': 'needs the log folded again and compared',
  'handoff:security:protect-context':
    'needs every log line, metric and error of a run searched for the context',
  'decision:late-context:marked': 'shown by views and receipts',
  'decision:controls:streamed': 'needs a live subscriber',
  'decision:outsiders:lists': 'needs ListSessions and WatchSessions',
  'decision:outsiders:tenant': 'needs credentials of two tenants',
  'decision:schemas:policy-rules': 'a property over all rules, not one example',
  'decision:schemas:example': 'a file of the repository is replayed',
  'decision:http:bodies': 'about the HTTP door itself: paths, status codes, bodies',
  'decision:http:events': 'about server-sent events',
  'decision:http:answers': 'about the HTTP door itself',
  'decision:security:files': 'about the mode of files',
  'decision:security:context-private':
    'needs every log line, metric and error of a run searched for the context',
  'decision:security:audit': 'about log lines',
  'decision:faults:unavailable': 'an answer that is no Ack, from a server that is stopping or does not know',
  'decision:faults:entry-cap': 'needs a session of 50,000 entries, or a decider at the cap',
  'decision:policy:size': 'the fixture would be 64 KiB of padding',
  'decision:stream:terminating': 'about gRPC streams',
  'decision:stream:inline': 'about gRPC streams',
  'decision:stream:end': 'about SSE and gRPC streams',
  'decision:lists:activity': 'needs ListSessions',
  'decision:lists:page-size': 'needs more than 1000 sessions, or a smaller default',
  'decision:tenant': 'needs credentials of two tenants',
  'decision:progress:delivery': 'needs live subscribers',
  'decision:malformed-protobuf': 'bytes that are no request at all',
  'macp-2026:2:code-trailer': 'trailers of every RPC, which fixtures do not call',
  'macp-2026:2:statuses': 'statuses of RPCs that fixtures do not call',
  'macp-2026:2:details-trailer': 'about trailers',
  'macp-2026:2:denials':
    'registration refuses every policy that could deny a handoff; needs a decider with such rules',
  'macp-2026:2:registry-read-only': 'about trailers',
  'macp-2026:2:invalid-request': 'needs ListSessions and Initialize',
  'macp-2026:2:agent-not-found': 'needs GetManifest',
  'macp-2026:2:unknown-policy': 'needs GetPolicy',
  'macp-2026:6:default-shown': 'needs GetPolicy',
  'macp-2026:3.3:ordinals': 'fixtures read the whole log',
  'macp-2026:3.3:controls-on-request': 'needs both kinds of subscribers',
  'macp-2026:4.4:cycles': 'needs 2050 controls',
  'macp-2026:13:schema-uris': 'needs ListModes',
  'macp-2026:3.6:sender-authenticated': 'needs a live subscriber',
} as const satisfies { readonly [id in RequirementId]?: string };
