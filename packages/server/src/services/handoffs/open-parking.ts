/** Who may have what an owner left. */
import { ANYONE, mayPickUp, type Parked } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { Scope } from '../../auth/scopes.js';
import type { TakingSettings } from '../../config/read-taking.js';
import type { Connection } from '../connection.js';
import { isInProject, type ProjectTag } from '../project.js';

/** Whether what is left for whoever comes next is left for anybody but its owner. */
export const reachesOthers = (
  { transport }: Pick<Connection, 'transport'>,
  { openParking }: Pick<TakingSettings, 'openParking'>,
): boolean => transport === 'stdio' || openParking;

/**
 * The same for a person who looks into the inbox of an agent: nobody calls. Where credentials keep agents apart, they come over
 * HTTP.
 */
export const reachesAgents = ({
  openParking,
  apart,
}: Pick<TakingSettings, 'openParking' | 'apart'>): boolean => openParking || !apart;

/**
 * Whether the caller may have what is left for whoever comes next in this project. That is for the assistants of one
 * machine; over HTTP it is for nobody but its owner, unless the operator opens it, and then the caller must name the
 * project: strangers may share a server.
 */
export const isOpenTo = (
  { transport, project: here }: Pick<Connection, 'transport' | 'project'>,
  taking: Pick<TakingSettings, 'openParking'>,
  project: ProjectTag | undefined,
): boolean =>
  isInProject(project, here?.id) &&
  reachesOthers({ transport }, taking) &&
  (transport === 'stdio' || project === undefined || here !== undefined);

/**
 * Whether the caller may claim work at all. Whoever may not is shown nothing that nobody handed to it by name: a look at
 * what is there to be taken is for those who can take it.
 */
export const mayClaim = ({ scopes }: Pick<Principal, 'scopes'>): boolean => scopes.has(Scope.HANDOFF_ACCEPT);

/** Whether it is left for this agent; `anyone`: it may have what is left for whoever comes next. */
export const isLeftFor = (left: Parked, agent: string, anyone: boolean): boolean =>
  mayPickUp(left, agent) && (anyone || left.takers[0] !== ANYONE);
