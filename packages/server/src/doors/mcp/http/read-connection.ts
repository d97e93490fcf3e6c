/** How a request over HTTP is connected, as its headers and its query say: none of it is a right. */
import { readToolSets } from '../../../auth/tool-sets.js';
import { type Connection, isCommitId, isInstance } from '../../../services/connection.js';
import { isProjectName, isProjectText, PROJECT_CHARACTERS, type Project } from '../../../services/project.js';
import { decodedHeader } from './decoded-header.js';

export const PROJECT_HEADER = 'handover-project';
const INSTANCE_HEADER = 'handover-instance';
const CLIENT_HEADER = 'handover-client';
const HEAD_HEADER = 'handover-head';

/** The connection, or what is wrong with what was sent. */
export function readConnection({ headers, url }: Request, now: number): Connection | string {
  const query = new URL(url).searchParams.get('toolsets');
  const toolsets = query === null ? undefined : readToolSets(query);
  if (typeof toolsets === 'string') return `toolsets: ${toolsets}`;
  const said = headers.get(PROJECT_HEADER);
  const project = said === null ? undefined : readProject(said);
  if (said !== null && !project)
    return `Handover-Project must be an id or a name of at most ${PROJECT_CHARACTERS} characters, and may have ; name= with a percent-encoded name`;
  const instance = headers.get(INSTANCE_HEADER);
  if (instance !== null && !isInstance(instance))
    return 'Handover-Instance must be 8 hex digits in lower case';
  const client = readClient(headers.get(CLIENT_HEADER));
  const head = headers.get(HEAD_HEADER);
  return {
    transport: 'http',
    since: now,
    ...(instance !== null && { instance, repeats: true }),
    ...(toolsets && { toolsets }),
    ...(project && { project }),
    ...(client && { client }),
    ...(isCommitId(head) && { head }),
  };
}

/** `<id or name>[; name=<percent-encoded>]` */
function readProject(header: string): Project | undefined {
  const [first = '', ...parameters] = header.split(';').map((part) => part.trim());
  const named = parameters.find((parameter) => /^name=/i.test(parameter))?.slice('name='.length);
  const id = decodedHeader(first);
  const name = named === undefined ? id : decodedHeader(named);
  return isProjectName(id) && isProjectName(name) ? { id, name } : undefined;
}

/** `<name>; session=<what that program calls its conversation>`, both percent-encoded. What cannot be read is left out. */
function readClient(header: string | null): Connection['client'] {
  const [first = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim());
  const said = parameters.find((parameter) => /^session=/i.test(parameter))?.slice('session='.length);
  const [name, session] = [decodedHeader(first), said === undefined ? undefined : decodedHeader(said)];
  return isProjectText(name) && isProjectText(session) ? { name, session } : undefined;
}
