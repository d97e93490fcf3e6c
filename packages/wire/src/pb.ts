/**
 * The generated messages as they are: macp.v1 at the top, each mode under its name (two modes may use one message
 * name). int64 is bigint and enums are numbers here; only code that translates to and from core should see them.
 */
export * as decision from './gen/macp/modes/decision/v1/decision_pb.js';
export * as handoff from './gen/macp/modes/handoff/v1/handoff_pb.js';
export * as multiRound from './gen/macp/modes/multi_round/v1/multi_round_pb.js';
export * as proposal from './gen/macp/modes/proposal/v1/proposal_pb.js';
export * as quorum from './gen/macp/modes/quorum/v1/quorum_pb.js';
export * as task from './gen/macp/modes/task/v1/task_pb.js';
export * from './gen/macp/v1/core_pb.js';
export * from './gen/macp/v1/envelope_pb.js';
export * from './gen/macp/v1/policy_pb.js';
