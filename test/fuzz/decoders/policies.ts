/** Rules of policies: the text that crosses the wire, their readers, and the files of a policies folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  canonicalJson,
  DECISION_MODE,
  HANDOFF_MODE,
  HandoverError,
  policyFlaw,
  RulesRev,
} from '@handover/core';
import { readPolicyFiles } from '../../../packages/server/src/services/macp/policy-files.js';
import { readRulesText } from '../../../packages/server/src/services/macp/rpc/rules-text.js';
import { decoderTarget } from '../decoder-target.js';
import { temporaryFolder } from '../temporary.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import { text } from '../values/texts.js';

const RULES: Json = {
  commitment: {
    authority: 'designated_role',
    designated_roles: ['alice', 'bob'],
    require_vote_quorum: true,
    $why: 'somebody is always there',
  },
  acceptance: { implicit_accept_timeout_ms: 60_000, criterion: 'initiator' },
  voting: { algorithm: 'weighted', weights: { alice: 2 }, quorum: { type: 'count', value: 1 } },
  threshold: { type: 'percentage', value: 75 },
  'x-handover.rules': { allow_no_target: false, implicit_decline_timeout_ms: 0, audit: { level: 'warn' } },
};

const folder = temporaryFolder();

export const policies = decoderTarget({
  name: 'policy-rules',
  generate(random) {
    const rules = random.oneIn(6) ? json(random) : random.oneIn(4) ? RULES : mutateJson(random, RULES);
    return {
      rules: random.oneIn(40) ? `{"a":"${'\\n'.repeat(random.size(500_000))}"}` : jsonText(random, rules),
      mode: random.pick([HANDOFF_MODE, DECISION_MODE, '*', 'ext.own.v1', text(random, 40)]),
      version: random.pick([0, 1, 2, 3, 4, -1, 1.5]),
    };
  },
  check(input) {
    const { rules: written, mode, version } = input as { rules: string; mode: string; version: number };
    const rest = JSON.stringify({ policy_id: 'p', mode, description: '', schema_version: version });
    writeFileSync(join(folder, 'p.json'), `{"rules":${written},${rest.slice(1)}`);
    const files = filesFlaw();
    const read = readRulesText(written);
    if (files !== undefined || 'error' in read) return files;
    const { rules } = read;
    if (
      policyFlaw({ policyId: 'p', mode, description: '', rules, schemaVersion: version }, RulesRev.Newest) !==
      undefined
    )
      return undefined;
    return 'rules' in readRulesText(canonicalJson(rules))
      ? undefined
      : 'accepted rules are refused when written again';
  },
});

function filesFlaw(): string | undefined {
  try {
    readPolicyFiles(folder);
    return undefined;
  } catch (thrown) {
    return thrown instanceof HandoverError
      ? undefined
      : `a policies file ends the start with ${String(thrown)}`;
  }
}
