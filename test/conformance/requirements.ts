import { bindingRequirements } from './requirements/binding.js';
import { calls2026Requirements } from './requirements/calls-2026.js';
import { commitRequirements, implicitRequirements } from './requirements/commit.js';
import { decisionRequirements } from './requirements/decisions.js';
import { handoffRequirements } from './requirements/handoff.js';
import { controlRequirements, messageRequirements } from './requirements/message.js';
import { decisionModeRequirements } from './requirements/modes/decision.js';
import { multiRoundModeRequirements } from './requirements/modes/multi-round.js';
import { proposalModeRequirements } from './requirements/modes/proposal.js';
import { quorumModeRequirements } from './requirements/modes/quorum.js';
import { taskModeRequirements } from './requirements/modes/task.js';
import { page2026Requirements } from './requirements/page-2026.js';
import { policyRequirements } from './requirements/policy.js';
import { receiptRequirements } from './requirements/receipts.js';
import { ruleRequirements } from './requirements/rules.js';
import { sendRequirements } from './requirements/send.js';
import { sessions2026Requirements } from './requirements/sessions-2026.js';
import { startRequirements } from './requirements/start.js';
import { wire2026Requirements } from './requirements/wire-2026.js';

/**
 * What the runtime must do, as data: one row per rule. Tests and fixtures cite the ids (`verifies`), and
 * coverage.test.ts fails for a row that nothing cites. Rows are never dropped to make it pass.
 */
export const requirements = [
  ...handoffRequirements,
  ...sendRequirements,
  ...startRequirements,
  ...messageRequirements,
  ...controlRequirements,
  ...ruleRequirements,
  ...commitRequirements,
  ...implicitRequirements,
  ...policyRequirements,
  ...decisionRequirements,
  ...decisionModeRequirements,
  ...proposalModeRequirements,
  ...taskModeRequirements,
  ...quorumModeRequirements,
  ...multiRoundModeRequirements,
  ...wire2026Requirements,
  ...bindingRequirements,
  ...receiptRequirements,
  ...calls2026Requirements,
  ...sessions2026Requirements,
  ...page2026Requirements,
];

export type RequirementId = (typeof requirements)[number]['id'];
