import type { ChainClient } from '../../chain/port.js';
import type { OperationDependencies } from '../../services/operations/dependencies.js';
import type { OpenAskIndex } from './open-asks.js';
import type { ScanMarks } from './scan-marks.js';

/** What one look at a record works with. */
export interface JudgeParts {
  readonly deps: OperationDependencies;
  readonly client: ChainClient;
  readonly asks: OpenAskIndex;
  readonly marks: ScanMarks;
}
