import type { JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { knownAgents, waitingFor } from '../../../services/agents/who-am-i.js';
import type { Connection } from '../../../services/connection.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { bytesOfTokens, fitting, jsonBytes } from '../token-room.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { bytesFor } from './result-tokens.js';

const input = z.strictObject({});
const output = z.looseObject({
  success,
  agent: z.string(),
  agents: z.array(z.looseObject({ agent: z.string(), connected: z.boolean() })),
});

const MOST_AGENTS = 50;
const MOST_WARNINGS = 20;
const WARNING_BYTES = bytesOfTokens(600);

export const whoAmI = ({ handoffs, directory, toolSets, server }: HandoffToolDependencies) =>
  defineTool<object>({
    name: 'whoAmI',
    title: 'Who am I',
    description: 'Your own agent id, this project, and the other agents you can hand work to.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (_, { principal, connection }) => {
      const { instance, project, toolsets } = connection;
      const warnings = fitting(settingWarnings(connection), WARNING_BYTES);
      const known = await knownAgents(directory, handoffs, principal, connection, MOST_AGENTS);
      const value = {
        agent: principal.agent,
        ...(instance !== undefined && { instance }),
        ...(project && { project: { id: project.id, name: project.name } }),
        scopes: [...principal.scopes],
        toolsets: toolSets.filter((set) => toolsets?.has(set) ?? true),
        waiting: { ...(await waitingFor(handoffs, principal, connection)) },
        server: { version: server.version, since: iso(server.since) },
        ...(warnings.length > 0 && { warnings }),
      };
      const rows = known.map(({ lastSeenAt, ...one }) => ({
        ...one,
        lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
      }));
      const room = bytesFor('whoAmI') - jsonBytes({ ...value, agents: [] });
      return { value: { ...value, agents: fitting(rows, room) } };
    },
  });

const IGNORED = 'ignored: the running server was started with another value; "handover stop" ends it';

function settingWarnings({ ignoredSettings = [] }: Connection): readonly JsonObject[] {
  return ignoredSettings
    .slice(0, MOST_WARNINGS)
    .map((name) => ({ code: 'SETTING_IGNORED', name, message: IGNORED }));
}
