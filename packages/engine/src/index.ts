export { BEGINNING, cursorFrom, unreadableCursor } from './cursor.js';
export { decimalCursor, readDecimalCursor } from './decimal-cursor.js';
export { Engine } from './engine.js';
export {
  DEFAULT_LIMITS,
  type EngineLimits,
  type EngineObserver,
  type Env,
  type Log,
  type Sleep,
} from './env.js';
export type { FeedFollower } from './feed.js';
export { createMemoryStore } from './memory-store.js';
export { createSharedMemory, type SharedMemory } from './shared-memory.js';
export type { FreshHeads, Members, MovedStream, SharedStore } from './shared-store.js';
export {
  AGENT_LIMITS,
  type AgentLimits,
  type AgentRecord,
  type AgentSign,
  type AgentStore,
  type AskedMessage,
  type AskedStream,
  type CommitInput,
  type CommitOutcome,
  type CommitRequest,
  type CountQuery,
  type CredentialRecord,
  type CredentialStore,
  type Cursor,
  type DueQuery,
  type DueStream,
  type FeedItem,
  type Involvement,
  type ListedStream,
  type ListQuery,
  type Part,
  type ReadLimit,
  type ReceiptStore,
  type SeenAgent,
  type SeenEntry,
  type Store,
  type StreamAppend,
  type StreamHead,
  type StreamRow,
  seenKey,
  type UsageQuery,
} from './store.js';
export type {
  Answer,
  Deciders,
  Kinds,
  StepResult,
  Submission,
} from './submission.js';
export { readChecked, type Subscription } from './subscription.js';
