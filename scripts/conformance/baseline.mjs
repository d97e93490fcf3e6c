// What is expected to fail in each mode, and why. A failure that is not here, or one that is here and does not happen,
// makes `npm run mcp:conformance` fail.

const FIXTURE =
  'asks for a tool, resource or prompt that only the suite’s own demonstration server has (`test_*`, `test://...`); this server offers no such thing';
const TASKS = 'the Tasks extension is not offered';
const LOGGING =
  'the logging capability is not declared: the newest revision has deprecated it, and this server logs for its operator';
const HEADERS =
  'no tool of this server uses `x-mcp-header`, and the SDK compares such headers only for its own kind of server';

const words = (...lines) => lines.flatMap((line) => line.split(' '));

const TASK_SCENARIOS = words(
  'tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input',
  'tasks-request-headers tasks-dispatch-and-envelope tasks-required-task-error tasks-mrtr-composition',
);
const FIXTURE_SCENARIOS = words(
  'tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content',
  'tools-call-error tools-call-with-progress tools-call-sampling tools-call-elicitation',
  'elicitation-sep1034-defaults elicitation-sep1330-enums',
  'resources-read-text resources-read-binary resources-templates-read',
  'prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image',
  'input-required-result-basic-elicitation input-required-result-basic-sampling',
  'input-required-result-basic-list-roots input-required-result-request-state',
  'input-required-result-multiple-input-requests input-required-result-multi-round',
  'input-required-result-non-tool-request input-required-result-result-type',
  'input-required-result-tampered-state input-required-result-capability-check json-schema-2020-12',
);
const all = (names, why) => Object.fromEntries(names.map((name) => [name, { why, failed: 1 }]));

/** The extension's checks are not counted: `failed` is undefined. */
const ALWAYS = {
  ...Object.fromEntries(TASK_SCENARIOS.map((name) => [name, { why: TASKS }])),
  'logging-set-level': { why: LOGGING, failed: 1 },
  'tools-call-with-logging': { why: LOGGING, failed: 1 },
  'http-custom-header-server-validation': { why: HEADERS, failed: 5 },
};

export const BASELINES = {
  plain: {
    ...ALWAYS,
    ...all(FIXTURE_SCENARIOS, FIXTURE),
    'server-stateless': { why: `four of its checks: ${FIXTURE}`, failed: 4 },
    'completion-complete': {
      why: `${FIXTURE} (a prompt of its own); completions of our prompts and addresses are tested in test/mcp`,
      failed: 1,
    },
    'resources-subscribe': { why: `${FIXTURE}; what nobody can read cannot be subscribed to`, failed: 1 },
    'resources-unsubscribe': { why: `${FIXTURE}; what nobody can read cannot be subscribed to`, failed: 1 },
  },
  fixtures: ALWAYS,
};

/** One line for each scenario that does not fail as expected. */
export const surprises = (baseline, { revision, scenarios }) =>
  scenarios.flatMap(({ name, failed }) => {
    const expected = baseline[name];
    const isNews =
      expected && expected.failed === undefined ? failed === 0 : failed !== (expected?.failed ?? 0);
    if (!isNews) return [];
    return [
      `${revision} ${name}: ${failed} checks fail, ${expected?.failed ?? (expected ? 'some' : 'none')} expected`,
    ];
  });
