import { rows } from './row.js';

/** What the documents leave open or say twice, where the answer shows on the wire. */
export const decisionRequirements = [
  ...rows('decisions', 'MACP', {
    'decision:implicit-owner':
      'Participants without the owner bind the owner too, if somebody else is listed.',
    'decision:outcome:positive': 'A positive Commitment needs an accepted offer.',
    'decision:outcome:negative': 'A negative Commitment needs a declined offer and none accepted.',
    'decision:outcome:pending': 'While an offer is pending neither is accepted.',
    'decision:outcome:allow-no-target':
      'With allow_no_target a negative Commitment needs no offer; a positive one still does.',
    'decision:reoffer': 'A new offer needs a new id and a target that has not declined in this session.',
    'decision:implicit-accept:id': 'The recorded implicit accept has the id implicit-accept:<handoff id>.',
    'decision:implicit-decline':
      'With implicit_decline_timeout_ms silence is recorded as a decline of the target.',
    'decision:implicit-decline:reserved': 'Client message ids starting with implicit-decline: are refused.',
    'decision:implicit-decline:off': 'There is no implicit decline unless the policy asks for it.',
    'decision:timeouts:exclusive': 'A policy with both timeouts is refused.',
    'decision:late-context:accepted': 'Late context is accepted.',
    'decision:late-context:marked':
      'Late context is marked late in every view and is not in the digest of what was decided on.',
    'decision:outcome-positive:json': 'Over JSON a Commitment without outcome_positive is INVALID_ENVELOPE.',
    'decision:banked-ms': 'banked_ms of a resume is the time that remained at the suspend.',
    'decision:controls:history':
      'Cancel, suspend and resume are envelopes of the history, sent by who asked, each with an ordinal.',
    'decision:controls:streamed':
      'Control envelopes are delivered on streams in their place, to those who ask for them.',
    'decision:expiry:no-envelope': 'The expiry is the last entry and is not delivered as an envelope.',
    'decision:ttl-base':
      'The client timestamp of a start is clamped to five minutes around the acceptance clock.',
    'decision:duplicates:same':
      'Same mode, type, sender and payload under a used id: duplicate, with the original acceptance time.',
    'decision:duplicates:other': 'Anything else under a used id is INVALID_ENVELOPE.',
    'decision:duplicates:members': 'Membership is judged before duplicates.',
    'decision:outsiders:by-id':
      'By id an outsider gets FORBIDDEN for a message and PERMISSION_DENIED for a read or control.',
    'decision:outsiders:lists': "Lists and watches show only one's own sessions; observers see all.",
    'decision:outsiders:tenant': "Another tenant's ids look unknown.",
    'decision:history:kept': 'A finished session keeps its whole history.',
    'decision:modes:served':
      'All five standard modes and multi-round are served; any other is MODE_NOT_SUPPORTED.',
    'decision:modes:extension':
      'An extension mode can be registered and used, within the registration checks.',
    'decision:schemas:policy-rules':
      'The published JSON Schema of handoff rules accepts exactly what registration accepts.',
    'decision:schemas:example': 'The example transcript replays.',
    'decision:http:bodies':
      'HTTP takes Envelope JSON and answers Ack JSON with the status of its code; controls take a reason.',
    'decision:http:events': 'The event stream numbers events by ordinal and names them envelope or error.',
    'decision:security:files': 'Data files are readable by their owner only.',
    'decision:security:context-private': 'Context is never in logs, metrics or errors.',
    'decision:security:audit':
      'Refused credentials and authority, terminal transitions and quota hits leave an audit line.',
  }),
  ...rows('decisions', 'Runtime details', {
    'decision:ticks:order':
      'Timers are recorded in order of their due times; an implicit answer at the deadline precedes the expiry.',
    'decision:late:strict': 'At the deadline a message is in time; one millisecond later it is late.',
    'decision:faults:queue-full': 'A full queue answers RATE_LIMITED.',
    'decision:faults:not-stored': 'What was not stored answers INTERNAL_ERROR.',
    'decision:faults:unavailable':
      'An unknown outcome, or a server that is stopping, answers UNAVAILABLE or 503.',
    'decision:faults:entry-cap':
      'At the cap of entries a message is INVALID_ENVELOPE, while Commitment, controls and ticks still fit.',
    'decision:ids:message': 'Message ids have 1 to 256 bytes and no control characters.',
    'decision:ids:handoff': 'Handoff ids have 1 to 256 bytes and no control characters.',
    'decision:ids:participant': 'Participant ids have 1 to 256 bytes and no control characters.',
    'decision:ids:policy': 'Policy ids have 1 to 256 bytes and no control characters.',
    'decision:ids:mode': 'Mode ids have 1 to 256 bytes and no control characters.',
    'decision:policy:size': 'Policy rules above 64 KiB are refused.',
    'decision:policy:unknown-keys': 'Unknown keys in policy rules are refused.',
    'decision:policy:any-mode': 'A policy for * passes the handoff and commitment checks too.',
    'decision:unknown-fields': 'Unknown fields are ignored in protobuf and JSON.',
    'decision:json:integers': 'JSON integers may be written as numbers or strings.',
    'decision:json:timestamps': 'Timestamps outside 0 to the year 9999 are INVALID_ENVELOPE.',
    'decision:json:missing': 'Missing strings and numbers are empty and 0, and then judged as usual.',
    'decision:start:existing':
      'A start on a known id: identical is a duplicate, anything else SESSION_ALREADY_EXISTS, from anyone.',
    'decision:start:future-deadline': 'A deadline that is not in the future is INVALID_ENVELOPE.',
    'decision:membership:first': 'An outsider gets FORBIDDEN in any state, after due timers were recorded.',
    'decision:membership:members':
      'Members are initiator, participants and policy-designated senders; they may read too.',
    'decision:implicit-owner:prepended': 'The implicit owner comes first in the participants shown.',
    'decision:control-ids': 'A control envelope has the id runtime:<type>:<ordinal>.',
    'decision:control-ids:reserved': 'Client message ids starting with runtime: are refused.',
    'decision:stream:terminating': 'Only the listed errors end a gRPC stream.',
    'decision:stream:inline': 'All other stream errors are inline, with registry code and message id.',
    'decision:stream:end':
      'At the end of a session SSE says end and answers 204 afterwards; a gRPC stream stays open.',
    'decision:lists:activity': 'Participant activity is shown by GetSession only.',
    'decision:lists:page-size':
      'A page size of 0 means 100 and at most 1000 are given; the first sync of a watch has no such limit.',
    'decision:modes:listed': 'Only modes that are served are listed; multi_round is built in.',
    'decision:tenant': 'The tenant comes from the credential and defaults to default.',
    'decision:policies:directory': 'Policies from a directory are the whole registry.',
    'decision:progress:sender': 'Progress that names a session needs a member as sender.',
    'decision:progress:delivery': 'Progress that names a session reaches members and observers only.',
    'decision:http:answers': 'POST answers an Ack, GET a SessionMetadata, a failed GET a MACPError.',
    'decision:malformed-protobuf': 'A malformed protobuf request is INVALID_ARGUMENT.',
  }),
];
