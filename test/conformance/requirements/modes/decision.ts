import { rows } from '../row.js';

/** Decision Mode: what may be said when (7.2 to 7.4), and what a policy makes of it (7.5). */
export const decisionModeRequirements = [
  ...rows('MACP-2026', '7.2', {
    'mode:decision:7.2':
      'A session may list nobody; then nobody is heard, and it can only expire or be cancelled.',
    'mode:decision:7.2:ends': 'Such a session expires like any other.',
  }),
  ...rows('MACP-2026', '7.3', {
    'mode:decision:7.3':
      'Only listed participants propose, evaluate, object and vote; other types are FORBIDDEN.',
    'mode:decision:7.3:listed': 'The initiator speaks only if listed.',
    'mode:decision:7.3:other-type': 'A type that is not of the mode is FORBIDDEN, also from a participant.',
  }),
  ...rows('MACP-2026', '7.4', {
    'mode:decision:7.4': 'Proposals, then evaluations and objections, then votes, then a Commitment.',
    'mode:decision:7.4:decodes': 'A payload that does not decode is INVALID_ENVELOPE.',
    'mode:decision:7.4:proposal:present': 'A Proposal has an id and an option that are not blank.',
    'mode:decision:7.4:proposal:new': 'The id of a Proposal is new.',
    'mode:decision:7.4:review-phase': 'Before the first Proposal nothing is evaluated, objected or voted on.',
    'mode:decision:7.4:after-vote':
      'After the first Vote there is no Proposal, Evaluation or Objection any more.',
    'mode:decision:7.4:known': 'Evaluation, Objection and Vote name a known proposal.',
    'mode:decision:7.4:evaluation:word': 'A recommendation is exactly APPROVE, REVIEW, BLOCK or REJECT.',
    'mode:decision:7.4:evaluation:confidence': 'Confidence is from 0 to 1.',
    'mode:decision:7.4:evaluation:many': 'Evaluations and objections may come in any number.',
    'mode:decision:7.4:objection:word': 'A severity is exactly low, medium, high or critical.',
    'mode:decision:7.4:vote:word': 'A vote is exactly APPROVE, REJECT or ABSTAIN.',
    'mode:decision:7.4:vote:once': 'One Vote for each sender and proposal.',
    'mode:decision:7.4:commitment:proposed': 'A Commitment needs a Proposal.',
    'mode:decision:7.4:commitment:no-vote-needed': 'Under policy.default it needs no vote.',
  }),
  ...rows('MACP-2026', '7.5', {
    'mode:decision:7.5': 'The policy judges a Commitment by evaluations, objections, quorum and votes.',
    'mode:decision:7.5:authority': 'Who may commit is judged before payload and policy.',
    'mode:decision:7.5:all-reasons': 'All reasons are given: evaluation, veto, quorum, votes.',
    'mode:decision:7.5:tally': 'Votes on all proposals are counted together.',
    'mode:decision:7.5:inclusive': 'A share that equals what is asked for is enough.',
    'mode:decision:7.5:evaluation:required':
      'required_before_voting needs an evaluation that is not REVIEW: evaluation_required.',
    'mode:decision:7.5:evaluation:both-outcomes': 'It is asked of either outcome.',
    'mode:decision:7.5:evaluation:minimum':
      'With minimum_confidence above 0 one of them has it: confidence_below_minimum.',
    'mode:decision:7.5:evaluation:minimum-alone': 'minimum_confidence alone gates nothing.',
    'mode:decision:7.5:veto:threshold': 'Critical objections count from veto_threshold on, if they veto.',
    'mode:decision:7.5:veto:deny': 'Under deny they refuse both outcomes: veto.',
    'mode:decision:7.5:veto:hold': 'Under hold they refuse both outcomes: veto_hold.',
    'mode:decision:7.5:veto:finalize': 'Under finalize_decline they refuse a positive outcome alone.',
    'mode:decision:7.5:veto:skips': 'A decline that they finalize is asked for nothing else.',
    'mode:decision:7.5:veto:objectors': 'The denial names who objected, sorted, each once.',
    'mode:decision:7.5:quorum:count': 'A quorum by count needs so many distinct voters: quorum_not_met.',
    'mode:decision:7.5:quorum:percentage': 'A quorum by percentage needs such a share of the participants.',
    'mode:decision:7.5:quorum:abstainers': 'Who abstains counts for the quorum.',
    'mode:decision:7.5:quorum:only-if-required': 'It is looked at only with require_vote_quorum.',
    'mode:decision:7.5:none': 'Under the algorithm none the outcome is taken as it is.',
    'mode:decision:7.5:majority': 'majority: approvals among decisive votes reach the threshold.',
    'mode:decision:7.5:supermajority': 'supermajority: the same with its own threshold.',
    'mode:decision:7.5:unanimous': 'unanimous: every participant approved something and nobody rejected.',
    'mode:decision:7.5:weighted': 'weighted: the weight of approvals reaches the threshold.',
    'mode:decision:7.5:weighted:exact':
      'Weights are added exactly, and the share is rounded once; before revision 6 in doubles.',
    'mode:decision:7.5:weights-missing': 'A voter without a weight decides nothing and is still a voter.',
    'mode:decision:7.5:plurality': 'plurality: more approve than reject.',
    'mode:decision:7.5:negative:over-approval':
      'A decline against votes that pass needs allow_decline_over_approval: decline_over_approval.',
    'mode:decision:7.5:negative:backed': 'A decline needs a decisive rejection: decline_not_backed.',
    'mode:decision:7.5:no-votes:schema-3': 'Under schema 3 an empty tally refuses a positive one: no_votes.',
    'mode:decision:7.5:no-votes:before': 'Under schema 1 and 2 only with require_vote_quorum.',
    'mode:decision:7.5:no-votes:negative': 'An empty tally always refuses a negative one.',
  }),
];
