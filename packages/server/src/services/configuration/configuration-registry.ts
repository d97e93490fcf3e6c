/**
 * The registry stream as the service uses it: a command is stored, then it acts on the running server, then it is
 * answered.
 */
import {
  type ConfigurationCommand,
  type ConfigurationState,
  type Rejection,
  RejectionCode,
  rejectWith,
} from '@handover/core';
import type { StepResult } from '@handover/engine';
import type { Principal } from '../../auth/principal.js';
import type { Log } from '../../observe/log.js';
import type { ServiceDependencies } from '../dependencies.js';
import { rejectionOfFault } from '../macp/acks.js';
import type { Outcome } from '../outcome.js';
import { configurationRef } from './configuration-ref.js';
import type { LiveConfiguration } from './live-configuration.js';

export interface RegistryDependencies {
  readonly deps: Pick<ServiceDependencies, 'engine' | 'audit' | 'now'>;
  readonly live: LiveConfiguration;
  readonly log: Log;
}

export class ConfigurationRegistry {
  readonly #engine: ServiceDependencies['engine'];
  readonly #live: LiveConfiguration;
  readonly #log: Log;

  constructor({ deps, live, log }: RegistryDependencies) {
    this.#engine = deps.engine;
    this.#live = live;
    this.#log = log;
  }

  async state(): Promise<ConfigurationState | undefined> {
    return (await this.#engine.query(configurationRef))?.state;
  }

  async submit(
    principal: Principal,
    command: ConfigurationCommand,
  ): Promise<Outcome<StepResult<'configuration'>>> {
    try {
      const answer = await this.#engine.submit({
        agent: principal.agent,
        steps: [{ stream: configurationRef, command }],
        bytes: JSON.stringify(command).length,
      });
      if (!answer.ok) return { rejection: invalid([answer.rejection.message], false) };
      const [result] = answer.results;
      if (result.state && result.entries.length > 0) this.#act(principal, command, result.state);
      return { value: result };
    } catch (thrown) {
      return { rejection: rejectionOfFault(thrown) };
    }
  }

  #act({ tenant, agent }: Principal, command: ConfigurationCommand, state: ConfigurationState): void {
    this.#log.info('audit.configuration_changed', {
      audit: true,
      actor: { tenant, agent },
      action: command.kind,
      ...(command.kind === 'change' && { keys: Object.keys(command.changes) }),
    });
    this.#live.apply(state);
  }
}

export function invalid(validationErrors: readonly string[], restartRequired: boolean): Rejection {
  const message = `the configuration was not changed: ${validationErrors.join('; ')}`;
  return rejectWith(RejectionCode.VALIDATION_ERROR, message, { validationErrors, restartRequired });
}
