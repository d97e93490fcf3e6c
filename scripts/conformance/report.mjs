// The page that a run leaves in docs/reports.

const PLAIN = (version, toolsets) => [
  '# MCP conformance',
  '',
  'Written by `npm run mcp:conformance`; do not edit.',
  '',
  `The public suite (@modelcontextprotocol/conformance ${version}) against \`handover serve --dev\` (tool sets: ${toolsets}), as it is: without the`,
  'demonstration tools, resources and prompts (`test_*`) that the suite brings along for SDKs. Most scenarios ask for one',
  'of those, and so cannot pass against a product; each failure is explained below, and a failure without an',
  'explanation, or an explanation without a failure, makes the command fail. [The same suite with these',
  'fixtures](mcp-conformance-fixtures.md) shows what the door itself does with them.',
  '',
];

const FIXTURES = (version) => [
  '# MCP conformance with fixtures',
  '',
  'Written by `npm run mcp:conformance -- --fixtures`; do not edit.',
  '',
  `The public suite (@modelcontextprotocol/conformance ${version}) against the MCP door of this server, with the tools, resources and prompts that`,
  'the suite asks for (`test/mcp/fixtures`) in place of our own. The guards, the routes of both eras, HTTP sessions, the',
  'table of tools, the check of arguments, the form of results and failures, rounds of questions and subscriptions are',
  'the ones that `handover serve` has. The fixtures are in no package; they are served on loopback and without credentials.',
  '',
  'What this does not show: the rules of our own tools (who may do what, what is written), their texts and limits, OAuth',
  'and tokens, stdio, and the server around the door. Those have their own tests in `test/`, and [the run against the',
  'product](mcp-conformance.md).',
  '',
];

const RECOMMENDATIONS = [
  '## Recommendations not followed',
  '',
  '- `server-sse-polling`: streams of the 2025 revision carry no event ids, because sessions are not resumed; a client that lost its stream asks again, and idempotency keys make that safe.',
];

const cell = (baseline, { name, failed, warned }) => {
  if (failed > 0) return baseline[name]?.why ?? 'UNEXPLAINED';
  return warned > 0 ? `${warned} recommendations not followed` : '';
};

function revisionPart(baseline, { revision, scenarios }) {
  const sum = (key) => scenarios.reduce((total, one) => total + one[key], 0);
  const whole = scenarios.filter(({ failed }) => failed === 0);
  return [
    `## ${revision}`,
    '',
    `${scenarios.length} scenarios, ${whole.length} of them without a failure; ${sum('passed')} checks passed, ${sum('failed')} failed.`,
    '',
    '| scenario | passed | failed | why |',
    '| --- | --- | --- | --- |',
    ...scenarios.map((one) => `| ${one.name} | ${one.passed} | ${one.failed} | ${cell(baseline, one)} |`),
    '',
  ];
}

const lintPart = ({ status, summary, version }) => [
  '## Schema lint',
  '',
  `\`mcp-inspector --cli --method tools/list --strict\` (inspector ${version}): exit ${status}, ${summary}`,
  '',
];

export function report({ fixtures, version, toolsets, baseline, results, lint }) {
  return [
    ...(fixtures ? FIXTURES(version) : PLAIN(version, toolsets)),
    ...results.flatMap((result) => revisionPart(baseline, result)),
    ...RECOMMENDATIONS,
    ...(fixtures ? [] : ['- `input-required-result-*`: the suite’s own tools again.']),
    '',
    ...(lint ? lintPart(lint) : []),
  ].join('\n');
}
