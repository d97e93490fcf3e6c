/** The resources that a caller is offered: the fixed addresses, its active sessions, and the offers in its inbox. */
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Principal } from '../../../auth/principal.js';
import { shownName } from '../../../services/handoffs/shown/words.js';
import type { HandoffService } from '../../../services/handoffs/types.js';
import { templatesOf, uriOf } from './address.js';
import { JSON_TYPE, type ResourceKind } from './resource-kind.js';

const MAX_LISTED = 50;
const VARIABLE = /\{(\w+)\}/;

export async function listResources(
  kinds: readonly ResourceKind[],
  handoffs: HandoffService,
  principal: Principal,
): Promise<Resource[]> {
  const readable = kinds.filter(({ scope }) => principal.scopes.has(scope));
  const resources: Resource[] = [];
  for (const kind of readable) {
    const variable = VARIABLE.exec(kind.path)?.[1];
    const values = variable === undefined ? [undefined] : await listed(kind, variable, handoffs, principal);
    for (const value of values)
      resources.push(
        value === undefined ? described(kind, {}) : described(kind, { [variable ?? '']: value }),
      );
  }
  return resources;
}

export function listTemplates(kinds: readonly ResourceKind[]): ResourceTemplateType[] {
  return kinds.flatMap((kind) =>
    templatesOf(kind).map((uriTemplate) => {
      const paged = uriTemplate.endsWith('{?cursor}');
      const { name, title, description, mimeType = JSON_TYPE } = kind;
      return {
        name: paged ? `${name}-page` : name,
        title: paged ? `${title}, by page` : title,
        uriTemplate,
        description: paged ? `${description} The cursor is nextCursor of the page before.` : description,
        mimeType,
      };
    }),
  );
}

function described(kind: ResourceKind, values: Readonly<Record<string, string>>): Resource {
  const { name, title, description, mimeType = JSON_TYPE } = kind;
  const [value] = Object.values(values);
  return {
    uri: uriOf(kind, values),
    // Clients show it; a key is chosen by another.
    name: value === undefined ? name : `${name} ${shownName(value)}`,
    title,
    description,
    mimeType,
  };
}

async function listed(
  { name }: ResourceKind,
  variable: string,
  handoffs: HandoffService,
  principal: Principal,
): Promise<readonly string[]> {
  if (variable === 'agentId') return [principal.agent];
  if (name === 'context' || name === 'summary') {
    const page = await handoffs.listSessions(principal, { activeOnly: true, limit: MAX_LISTED });
    return 'rejection' in page ? [] : page.value.sessions.map(({ sessionKey }) => sessionKey);
  }
  if (name !== 'handoff' && name !== 'package') return [];
  const page = await handoffs.listHandoffs(principal, { box: 'inbox', status: 'pending', limit: MAX_LISTED });
  return 'rejection' in page ? [] : page.value.handoffs.map(({ handoffId }) => handoffId);
}
