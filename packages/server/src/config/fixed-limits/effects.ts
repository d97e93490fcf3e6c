/** How much is asked of chains and sent to webhooks. */
import type { FixedLimit } from '../fixed-limits.js';

export const effectLimits = {
  chainRequestMs: {
    what: 'One request to the RPC of a chain',
    value: 10_000,
    unit: 'ms',
    beyond: 'the request is given up and counts as a failure of the RPC; nothing was learned',
  },
  chainRequestsAtOnce: {
    what: 'Requests to one RPC at a time',
    value: 4,
    unit: 'count',
    beyond: 'further requests wait for their turn; those who ask take turns',
  },
  chainRequestsWaiting: {
    what: 'Requests that wait for one RPC',
    value: 256,
    unit: 'count',
    beyond:
      'a read is refused with HANDOFF_FAILED, or says that the chain could not be read; a claim is looked at later',
  },
  chainRequestsWaitingOfOne: {
    what: 'The same of one agent',
    value: 32,
    unit: 'count',
    beyond: 'the same; the places of others stay free',
  },
  chainFailuresInARow: {
    what: 'Failures in a row after which an RPC is left alone',
    value: 3,
    unit: 'count',
    beyond:
      'the RPC is asked nothing during a pause, and then one question; reads are refused at once with the time to wait',
  },
  chainFirstPauseMs: {
    what: 'First pause of an RPC that fails; each further one is twice as long',
    value: 1_000,
    unit: 'ms',
    beyond: 'one question is asked; if it is answered, everything goes on',
  },
  chainLongestPauseMs: {
    what: 'Longest pause of an RPC that fails',
    value: 60_000,
    unit: 'ms',
    beyond: 'pauses do not get longer',
  },
  chainReadMs: {
    what: 'How long a tool or a page waits for a chain in all',
    value: 5_000,
    unit: 'ms',
    beyond: 'the answer says what could not be read, or is HANDOFF_FAILED',
  },
  chainLooksAtOnce: {
    what: 'Records of one chain whose claims are checked at a time',
    value: 2,
    unit: 'count',
    beyond: 'further records wait for their turn; those who made them take turns',
  },
  chainLookMs: {
    what: 'One check of the claims of a record',
    value: 60_000,
    unit: 'ms',
    beyond: 'the check is given up and made again later',
  },
  chainTraceMemoryMs: {
    what: 'How long it is remembered whether an RPC traces transactions',
    value: 600_000,
    unit: 'ms',
    beyond: 'the next proof that needs it asks again',
  },
  blockRoundsPerMinute: {
    what: 'Rounds of reading blocks in a minute, of one chain, where a node cannot find a transaction by sender and number',
    value: 3,
    unit: 'count',
    beyond: 'a later look goes on; until then nothing is called not signed',
  },
  logBlocks: {
    what: 'Blocks of which the log is asked for in one request; half as many after each refusal',
    value: 2_000,
    unit: 'count',
    beyond: 'the next request goes on',
  },
  logRequests: {
    what: 'Requests for logs in one look at one claim or ask',
    value: 12,
    unit: 'count',
    beyond: 'the next look goes on where this one ended',
  },
  scanMarks: {
    what: 'Asks and claims of which it is remembered how far the chain was compared',
    value: 20_000,
    unit: 'count',
    beyond: 'the oldest is forgotten and compared from its beginning',
  },
  safeNonces: {
    what: 'Numbers of a Safe with which a claimed hash is compared',
    value: 65,
    unit: 'count',
    beyond:
      'a transaction further back in its queue is not recognised before it is executed; nothing is refused',
  },
  comparedAsks: {
    what: 'Asks of one account that are compared with a transaction before it settles a step',
    value: 1_000,
    unit: 'count',
    beyond:
      'further asks are not compared. Those whose page told of the transaction come first, then those that wait; those who made the requests take turns',
  },
  comparedAsksOfOne: {
    what: 'Of these, those of one creator: of those that told, and of the others',
    value: 100,
    unit: 'count',
    beyond: 'its further asks are not compared; those of others are',
  },
  provenAsks: {
    what: 'Of these, those for which the chain is read',
    value: 8,
    unit: 'count',
    beyond: 'the same',
  },
  toldContracts: {
    what: 'Transactions told elsewhere that are looked up before a result takes a contract which it alone names',
    value: 64,
    unit: 'count',
    beyond: 'the others are not compared: the result is taken',
  },
  permitMs: {
    what: 'How long a permit for a session is taken to be valid at least, whatever a page says of it',
    value: 1_200_000,
    unit: 'ms',
    beyond: 'once it has run out and the node knows no such session, nothing was started',
  },
  permitGraceMs: {
    what: 'How much later than its end a permit may still reach its node',
    value: 120_000,
    unit: 'ms',
    beyond: 'the same',
  },
  chainClockMs: {
    what: 'How much the clocks of chains and of servers are taken to differ',
    value: 120_000,
    unit: 'ms',
    beyond:
      'a transaction in an older block is older than the request (`TOO_OLD`), and a head of the chain that is older shows of no ask that it came to nothing',
  },
  doneLookMs: {
    what: 'Time between two looks at a record that is over, to the end of its watch window',
    value: 300_000,
    unit: 'ms',
    beyond: 'what turns up in between is found by the next look',
  },
  lateSignedLookMs: {
    what: 'The same, soon after somebody said that a prompt was not signed',
    value: 45_000,
    unit: 'ms',
    beyond: 'the same',
  },
  lateSignedMs: {
    what: 'How long after that word the looks are so close',
    value: 3_600_000,
    unit: 'ms',
    beyond: 'looks are as far apart as for any record of which nobody waits for anything',
  },
  webhooksPending: {
    what: 'Deliveries of webhooks that wait',
    value: 10_000,
    unit: 'count',
    beyond:
      'the log is read no further for webhooks until one is delivered or given up; nothing is lost and nobody waits',
  },
  webhooksDead: {
    what: 'Deliveries of webhooks that were given up and are kept to be looked at',
    value: 1_000,
    unit: 'count',
    beyond: 'the oldest is forgotten',
  },
  webhookRequestsPerAddress: {
    what: 'Deliveries to one address at a time',
    value: 4,
    unit: 'count',
    beyond: 'further ones wait',
  },
  webhookRequestMs: {
    what: 'One attempt to deliver a webhook',
    value: 15_000,
    unit: 'ms',
    beyond: 'the attempt counts as failed and is made again later',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
