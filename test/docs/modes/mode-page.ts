/** The generated parts of a mode's page. */
import { BUILT_IN_MODES, type Decision, RejectionCode, type SessionCommand } from '@handover/core';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { envelopeOf, startPayload } from '../../kit/envelopes.js';
import { append, type DeciderSession, decide, newSession } from '../../model/decider-session.js';
import type { Blocks } from '../generated.js';
import { fieldTable } from '../proto/field-table.js';
import type { Proto } from '../proto/read-proto.js';
import type { Refusal } from './moves.js';
import { picture } from './picture.js';
import { collect, denialTable, type Refusals, refusalTable } from './refusals.js';
import { rulesIn, rulesTable } from './rules.js';
import type { ShownMode } from './shown-modes.js';

const SESSION = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';
const OWNER = 'owner';
/** In these words every mode refuses; the page about the calls lists them. */
const COMMON = [
  /^the sender is not a participant of this session$/,
  /^the session is \w+$/,
  /^(mode|configuration|policy)_version must be/,
  /^action (is empty|says a)/,
];

export function termsOf(mode: string) {
  const terms = BUILT_IN_MODES.get(mode);
  if (!terms) throw new Error(`there is no built-in mode ${mode}`);
  return terms;
}

/** The types that clients send after the SessionStart. */
export const typesOf = (mode: string): readonly string[] =>
  termsOf(mode).descriptor.messageTypes.filter((type) => type !== 'SessionStart');

export function modeBlocks(shown: ShownMode, proto: Proto): Blocks {
  const { mode } = shown;
  const refusals = refusalsOf(shown);
  const { rulesSchema } = termsOf(mode);
  return {
    states: `\`\`\`mermaid\n${statesOf(shown)}\n\`\`\``,
    messages: messagesOf(shown, proto),
    ...(rulesSchema !== undefined && { rules: rulesTable(rulesIn(rulesSchema)) }),
    refusals: refusalTable(refusals, ['SessionStart', ...typesOf(mode)]),
    ...(refusals.denied.length > 0 && { denials: denialTable(refusals) }),
  };
}

function statesOf({ mode, initial, scenarios }: ShownMode): string {
  const drawn = scenarios.map(({ only, scenario }) => ({ only, moves: scenario.moves() }));
  return picture(initial, drawn, { types: typesOf(mode) });
}

function messagesOf({ mode, senders }: ShownMode, { types }: Proto): string {
  const folder = mode.replace(/^(?:macp\.mode|ext)\./, 'macp.modes.');
  return typesOf(mode)
    .map((type) => {
      const from = `From ${senders[type]?.[0]}.`;
      if (type === 'Commitment')
        return `### \`Commitment\`\n\n${from} Its fields: [CommitmentPayload](../reference/macp-rpc.md#commitmentpayload).`;
      const payload = types.get(`${folder}.${type}Payload`);
      if (!payload) throw new Error(`${mode} has no payload of ${type}`);
      return `### \`${type}\`\n\n${from} ${payload.comment}\n\n${fieldTable(payload, () => undefined)}`;
    })
    .join('\n\n');
}

const found = new Map<ShownMode, Refusals>();

/** The search takes a while, and several tests ask. */
export function refusalsOf(shown: ShownMode): Refusals {
  const known = found.get(shown) ?? search(shown);
  found.set(shown, known);
  return known;
}

function search({ mode, scenarios, ids }: ShownMode): Refusals {
  const all = [
    ...startRefusals(mode),
    ...unlistedRefusals(mode),
    ...scenarios.flatMap(({ scenario }) => [...scenario.refusals()]),
  ];
  const common = (words: string) => COMMON.some((each) => each.test(words));
  const { refused, denied } = collect(all, ids, common);
  const shown = refused.map(({ type, code, words }) => ({
    type: type === 'Unknown' ? 'any other type' : type,
    code,
    words: words.replace(/message_type \w+ is/, 'message_type … is').replace('policy.model', '…'),
  }));
  return { refused: shown, denied };
}

function asked(mode: string, session: DeciderSession, type: string, payload: Uint8Array): Decision {
  const envelope = envelopeOf(SESSION, OWNER, type, payload, { mode });
  const command: SessionCommand = { kind: 'envelope', envelope };
  return decide(session, command, OWNER, 0);
}

function starting(mode: string, participants: readonly string[]): Decision {
  const payload = codec.encode('SessionStart', startPayload({ participants }));
  return asked(mode, newSession(SESSION, []), 'SessionStart', payload);
}

/** Nobody is listed; the initiator alone; somebody else alone. */
function* startRefusals(mode: string): Generator<Refusal> {
  for (const participants of [[], [OWNER], ['a']]) {
    const decision = starting(mode, participants);
    if (decision.kind === 'rejected') yield { type: 'SessionStart', rejection: decision.rejection };
  }
}

/** What an initiator hears who is not listed, whatever it says. */
function* unlistedRefusals(mode: string): Generator<Refusal> {
  const started = starting(mode, ['a']);
  if (started.kind !== 'accepted') throw new Error(`${mode} does not start`);
  const session = append(newSession(SESSION, []), started.drafts, 0);
  for (const type of typesOf(mode)) {
    const decision = asked(mode, session, type, new Uint8Array(0));
    if (decision.kind === 'rejected' && decision.rejection.code === RejectionCode.FORBIDDEN)
      yield { type, rejection: decision.rejection };
  }
}
