/** What the commands for assistants share. Kept small: one of them is started at every turn of an assistant. */
import { FaultCode, HandoverError } from '@handover/core';
import { AGENT_NAME_RULE, isAgentName } from '../auth/agent-name.js';
import { dataPath } from '../config/data-path.js';

export interface LocalFlags {
  readonly agent?: string;
  readonly dataDir?: string;
}

export function requireUnixSockets(): void {
  if (process.platform !== 'win32') return;
  throw new HandoverError(
    FaultCode.CONFIGURATION,
    'this needs a Unix socket, which is not there on Windows; run "handover serve" and give the assistant its ' +
      'HTTP address, or use WSL',
  );
}

export function localFolder({ dataDir }: LocalFlags): string {
  return dataPath(dataDir === undefined ? process.env : { ...process.env, HANDOVER_DATA_DIR: dataDir });
}

export function localAgent({ agent = process.env.HANDOVER_AGENT_ID }: LocalFlags): string | undefined {
  if (agent === undefined || agent === '') return undefined;
  if (isAgentName(agent)) return agent;
  throw new HandoverError(FaultCode.CONFIGURATION, `the agent id must be ${AGENT_NAME_RULE}`);
}
