/** What the HTTP API answers, under the names that the pages use. */
import type { Fields } from '@handover/core';
import type {
  BundleDeployView,
  DeploymentStep,
  GraphView,
  RecordView,
  SessionStartView,
  SessionView,
  StepView,
  TransactionView,
} from '@handover/evm';

export type JsonRecord = Fields;
export type Deployment = DeploymentStep;
export type Step = StepView;
export type Graph = Omit<GraphView, 'mermaid'>;
export type OperationRecord = TransactionView;
export type BundleRecord = BundleDeployView;
export type SessionRequest = SessionView;
export type SessionRecord = SessionStartView;
export type HandoffRecord = RecordView;
/** What says whether the server looks at the chain. */
export type Sight = Pick<HandoffRecord, 'watched' | 'chainSight'>;

export const idOf = (record: HandoffRecord): string => ('id' in record ? record.id : record.handle);
