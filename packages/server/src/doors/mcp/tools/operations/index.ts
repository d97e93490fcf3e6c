/** The tools of operations: the general ones, and those for XDaLa. */
import type { Operations } from '../../../../services/operations/operations.js';
import type { ToolSet } from '../../tool.js';
import { bundleTools } from './bundle.js';
import { genericTools } from './generic.js';
import { getOperationReceipt } from './receipt.js';
import { sessionTools } from './session.js';
import { waitForOperation } from './wait.js';
import { xdalaTools } from './xdala.js';

export function operationToolSets(operations: Operations): readonly ToolSet[] {
  return [
    {
      name: 'operations',
      tools: [...genericTools(operations), waitForOperation(operations), getOperationReceipt(operations)],
    },
    {
      name: 'xdala',
      tools: [...bundleTools(operations), ...sessionTools(operations), ...xdalaTools(operations)],
    },
  ];
}
