/**
 * Everything that is run over texts of others costs in proportion to them, whatever stands in them. One entry of a megabyte of combining
 * marks held a server for minutes: whoever normalises a text, or puts an expression on it, belongs into this table.
 */
import { named } from '@handover/core';
import { type DescMessage, pb } from '@handover/wire';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../packages/core/src/normal-form.js';
import { hasKeyMaterial } from '../../packages/core/src/operation/validate/key-material.js';
import { hasUnseen, writtenOut } from '../../packages/core/src/text.js';
import { gatherBrief } from '../../packages/core/src/worklog/brief/brief.js';
import { cleanText, plainName } from '../../packages/core/src/worklog/brief/clean-text.js';
import { kindOf } from '../../packages/core/src/worklog/brief/kinds.js';
import {
  isSecretFile,
  redact,
  secretIn,
  withoutHome,
} from '../../packages/core/src/worklog/redact/redact.js';
import { findIn } from '../../packages/core/src/worklog/search/find-in.js';
import { bared } from '../../packages/evm/src/key-material/bare-words.js';
import { findKeyMaterial } from '../../packages/evm/src/key-material/find-key-material.js';
import { fullPieces, plainText } from '../../packages/evm/src/key-material/plain-text.js';
import { isRefusedName } from '../../packages/server/src/auth/agent-name.js';
import { toldText } from '../../packages/server/src/cli/capture/told-text.js';
import { digestOfValue } from '../../packages/server/src/cli/install/edit/digest.js';
import { takeJson } from '../../packages/server/src/cli/install/edit/json-place.js';
import { readMd } from '../../packages/server/src/cli/md/read-md.js';
import { remoteUrl } from '../../packages/server/src/cli/project/git-config.js';
import { canonicalOrigin } from '../../packages/server/src/cli/project/origin-id.js';
import { shortText } from '../../packages/server/src/doors/mcp/short-text.js';
import { codePoints, partOf } from '../../packages/server/src/doors/mcp/token-room.js';
import { agentIdOf } from '../../packages/server/src/doors/socket/client-name.js';
import { inexactPlace } from '../../packages/server/src/platform/json/inexact-place.js';
import { syntaxPlace } from '../../packages/server/src/platform/json/syntax-place.js';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { readContentType } from '../../packages/server/src/services/handoffs/content-type.js';
import { keyName } from '../../packages/server/src/services/handoffs/session-key.js';
import { shownName, shownWords } from '../../packages/server/src/services/handoffs/shown/words.js';
import { readRulesText } from '../../packages/server/src/services/macp/rpc/rules-text.js';
import { readableText } from '../../packages/server/src/services/operations/families/readable-text.js';
import { hashIn } from '../../packages/web/src/format/hash-in.js';
import { hasHidden } from '../../packages/web/src/format/plain-text.js';
import { quoted } from '../../packages/web/src/format/quoted.js';
import { messageFromJson, messageToJson } from '../../packages/wire/src/json/message-json.js';
import { parseJson } from '../../packages/wire/src/json/parse-json.js';

import { timesAsDear } from './support/cpu.js';
import { HOSTILE_TEXTS } from './support/hostile-texts.js';

/** The text of an entry among enough others that errors and marked lines are looked for in it. */
function brief(content: string): void {
  const gather = gatherBrief(4_000, nodeCodec);
  for (let number = 9; number > 0; number--) {
    const text = number > 1 ? 'x' : content;
    const entry = { number, at: 0, contextType: 'message', author: 'a', content: text, metadata: {} };
    for (const _ of gather.add(entry));
  }
}

function search(text: string, parts: readonly string[]): void {
  for (const _ of findIn(text, { parts }));
}

/** A file of settings with white space where it may stand, and a comment behind it. */
function settings(text: string): void {
  const blanks = text.replace(/[^ \t\r\n]/g, ' ');
  const file = `{"servers": {${blanks}"handover": {"a": 1}${blanks}/**/}}`;
  const mark = { digests: [digestOfValue({ a: 1 })], lead: '', tail: '', made: 2 };
  takeJson(file, { within: ['servers'], at: 'handover' }, mark);
}

/** A request of the HTTP binding with the text in every place that a request has: a number, one in quotes, bytes, a time, a key. */
function bindingRequest(text: string): void {
  const number = /^[0-9.]+$/.test(text) ? text : '0';
  const quoted = JSON.stringify(text);
  const places: readonly (readonly [DescMessage, string])[] = [
    [pb.ListSessionsRequestSchema, `{"page_size":${number},"page_token":${quoted}}`],
    [pb.StreamSessionRequestSchema, `{"after_sequence":${quoted}}`],
    [pb.SignalPayloadSchema, `{"confidence":${quoted}}`],
    [pb.SignalPayloadSchema, `{"confidence":${number}}`],
    [pb.SignalPayloadSchema, `{"data":${quoted}}`],
    [pb.SessionStartPayloadSchema, `{"extensions":{${quoted}:""},"participants":[${quoted}]}`],
    [pb.AckSchema, `{"session_state":${quoted},"accepted_at_unix_ms":${quoted}}`],
    [pb.PolicyDescriptorSchema, `{"rules":{${quoted}:${number},"a":${quoted}}}`],
    [pb.EnvelopeSchema, `{"timestamp":${quoted},"payload_b64":""}`],
    [pb.EnvelopeSchema, `{"mode":${quoted},"message_type":${quoted},"payload":{}}`],
    [pb.GetSessionRequestSchema, text],
  ];
  for (const [schema, json] of places) {
    const parsed = parseJson(json);
    const read = 'value' in parsed ? messageFromJson(schema, parsed.value) : undefined;
    if (read && 'bytes' in read) messageToJson(schema, read.bytes);
  }
}

const LOOKS: Readonly<Record<string, (text: string) => unknown>> = {
  'normal form C': (text) => normalForm(text, 'NFC'),
  'normal form KC': (text) => normalForm(text, 'NFKC'),
  'normal form KD': (text) => normalForm(text, 'NFKD'),
  'a search for a word': (text) => search(text, ['needle', 'aae']),
  'a search for a long phrase': (text) => search(text, [`${'a'.repeat(199)}z`, `${'\u0301'.repeat(199)}z`]),
  'a brief': brief,
  'clean text': cleanText,
  'the name of a kind': kindOf,
  'a name in a heading': (text) => plainName(text, 80),
  'unseen letters': hasUnseen,
  'unseen letters, written out': writtenOut,
  secrets: redact,
  'one secret': secretIn,
  'the file of a secret': isSecretFile,
  'the home folder': (text) => withoutHome(text, '/home/ann'),
  'the name of a key': (text) => hasKeyMaterial({ [text]: 1 }),
  'a key in a value': (text) => findKeyMaterial({ key: text }, nodeCodec),
  'a key in a name': (text) => findKeyMaterial({ [text]: 'x' }, nodeCodec),
  'keys below a long name': (text) =>
    findKeyMaterial({ [text]: Array.from({ length: text.length / 500 }, () => 'ab'.repeat(32)) }, nodeCodec),
  'a text as keys are looked for': (text) => [plainText(`é${text}`), ...bared(fullPieces(`é${text}`, ' '))],
  'the error of a page': readableText,
  'the name of a client': agentIdOf,
  'the name of an agent': isRefusedName,
  'a content type': readContentType,
  'the key of a session': keyName,
  'words that are shown': (text) => [shownWords(text), shownName(text), named(text)],
  'the size of a text': codePoints,
  'a part of a text': (text) => partOf(text, text.length / 2, 4_000),
  'a text cut short': (text) => shortText('reason', text),
  'JSON that is none': (text) => syntaxPlace(text, new SyntaxError('Unexpected end of JSON input')),
  'JSON that says it otherwise': (text) => inexactPlace(JSON.stringify({ [text]: text })),
  'a request of the HTTP binding': bindingRequest,
  'the rules of a policy': (text) => readRulesText(`{"a":${JSON.stringify(text)},"b":${text}`),
  'HANDOFF.md': (text) => readMd(Buffer.from(`# Next\n${text}`)),
  'an address of git': (text) => canonicalOrigin(`https://host/${text}`),
  'the settings of git': (text) => remoteUrl(`[remote "origin"]\n\turl = ${text}\n[${text}`, 'origin'),
  'the settings of a client': settings,
  'what another server says': (text) => toldText(text, true),
  'what a page shows': (text) => [hasHidden(text), quoted(text, 400), hashIn(text)],
};

const N = 50_000;

describe('hardening:H1 a hostile text costs in proportion to its length', () => {
  it.each(Object.entries(LOOKS))('%s', (_, look) => {
    const dear = Object.entries(HOSTILE_TEXTS).flatMap(([name, text]) => {
      const [half, whole] = [text(N), text(2 * N)];
      const measured = () =>
        timesAsDear(
          () => look(half),
          () => look(whole),
        );
      // What is dear is dear each time; what only seemed so had the machine taken away meanwhile.
      let times = measured();
      for (let more = 0; more < 2 && times > 3; more++) times = Math.min(times, measured());
      return times > 3 ? [`${name}: ${times.toFixed(1)} times`] : [];
    });
    expect(dear).toEqual([]);
  });
});
