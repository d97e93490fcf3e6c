import * as pb from './pb.js';

/** The proto files of the service and of all modes, each after those that it imports. */
export const protoFiles = [
  pb.file_macp_v1_envelope,
  pb.file_macp_v1_policy,
  pb.file_macp_v1_core,
  pb.decision.file_macp_modes_decision_v1_decision,
  pb.handoff.file_macp_modes_handoff_v1_handoff,
  pb.multiRound.file_macp_modes_multi_round_v1_multi_round,
  pb.proposal.file_macp_modes_proposal_v1_proposal,
  pb.quorum.file_macp_modes_quorum_v1_quorum,
  pb.task.file_macp_modes_task_v1_task,
];
