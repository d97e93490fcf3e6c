/** What one request may ask of the services. */
import type { FixedLimit } from '../fixed-limits.js';

export const serviceLimits = {
  attachmentsListed: {
    what: 'Attachments of one handoff that are listed',
    value: 20,
    unit: 'count',
    beyond: 'attachmentsTotal says how many there are; each is read by its number',
  },
  askTokens: {
    value: 16,
    unit: 'count',
    what: 'tokens of one ask of a wallet',
    beyond: 'a repeated ask is refused with 409 and the code LIMIT; the tokens that were given stay good',
  },
  openAsks: {
    what: 'Wallet prompts that are open for the requests of one agent',
    value: 200,
    unit: 'count',
    beyond: 'the next is refused with 409 until some are answered',
  },
  pageLinks: {
    what: 'Links to the page of one request; a create that is sent again gets another one',
    value: 5,
    unit: 'count',
    beyond: 'the answer holds no link and says to cancel the request and to create it again with replaces',
  },
  receiptCalldata: {
    what: 'Calldata of a step that its receipt holds; calls of tokens fit',
    value: 132,
    unit: 'bytes',
    beyond: 'the receipt names the digest of the calldata instead',
  },
  likeOperations: {
    what: 'Earlier requests for the same that are looked at when an agent hands over another one',
    value: 32,
    unit: 'count',
    beyond: 'the newest are looked at; older ones are not named as SAME_AS',
  },
  likeOperationsOfStep: {
    what: 'The same for each step of a request of many steps, at least',
    value: 4,
    unit: 'count',
    beyond: 'the newest are looked at; older ones are not named as SAME_AS',
  },
  likeRows: {
    what: 'Rows of the index of equal requests that are looked through for them, withdrawn and expired ones included',
    value: 8_192,
    unit: 'count',
    beyond: 'older ones are not named as SAME_AS',
  },
  twinRows: {
    what: 'Rows of the same index that are looked through each time a page is read',
    value: 256,
    unit: 'count',
    beyond: 'older ones are not named on the page, except the one that the create answer named as SAME_AS',
  },
  likeOperationsMs: {
    what: 'Time for which an earlier request for the same is named',
    value: 7 * 24 * 60 * 60 * 1_000,
    unit: 'ms',
    beyond: 'it is not named as SAME_AS',
  },
  replacedRequests: {
    what: 'Requests that were replaced one after another whose wallet prompts are told of',
    value: 8,
    unit: 'count',
    beyond: 'prompts of older ones are not told of as PROMPT_MAY_BE_OPEN',
  },
  askSightMs: {
    what: 'Time in which a chain is asked for block and nonce before a wallet prompt',
    value: 1_000,
    unit: 'ms',
    beyond: 'the prompt goes on without them',
  },
  knownChains: {
    what: 'Chains of which the server remembers what their RPC answered last',
    value: 256,
    unit: 'count',
    beyond: 'the oldest is forgotten, and counts as seen until it is asked again',
  },
  scannedNonces: {
    what: 'Transactions of an account that one look compares with what was asked',
    value: 64,
    unit: 'count',
    beyond: 'the next look goes on; until all are compared nothing is called not signed',
  },
  scannedBlocks: {
    what: 'Blocks that one look reads where a node cannot find transactions by sender and number',
    value: 300,
    unit: 'count',
    beyond: 'the next look goes on',
  },
  controlReasonLength: {
    what: 'Reason of a cancel, suspend or resume',
    value: 4_096,
    unit: 'characters',
    beyond: 'INVALID_ENVELOPE',
  },
  handoffListItems: {
    what: 'Items in one page of a list of handoffs or working sessions',
    value: 200,
    unit: 'count',
    beyond: 'the page is no larger; the cursor leads to the rest',
  },
  contextPageEntries: {
    what: 'Context entries in one page',
    value: 1_000,
    unit: 'count',
    beyond: 'the page is no larger; the cursor leads to the rest',
  },
  waitForHandoffMs: {
    what: 'Time that waitForHandoff waits',
    value: 50_000,
    unit: 'ms',
    beyond: 'it answers without news; call it again',
  },
  waitCatchUpEntries: {
    what: 'Entries that waitForHandoff looks through for one that asks with an old mark',
    value: 5_000,
    unit: 'count',
    beyond: 'it answers with the present state instead',
  },
  operationShortestTtlMs: {
    what: 'Life of an operation, at least',
    value: 60_000,
    unit: 'ms',
    beyond: 'a shorter one that is asked for becomes this',
  },
  bundleHashes: {
    what: 'Transaction hashes in one post of a bundle page',
    value: 1_000,
    unit: 'count',
    beyond: '400 bad request',
  },
  pageErrorLength: {
    what: 'Error text that a page reports',
    value: 2_000,
    unit: 'characters',
    beyond: 'the rest is cut off',
  },
  inboxOffers: {
    what: 'Offers that `handover inbox` shows',
    value: 100,
    unit: 'count',
    beyond: 'further ones are not shown',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
