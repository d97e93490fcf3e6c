import {
  configurationDecider,
  modesDecider,
  operationDecider,
  policiesDecider,
  sessionDecider,
  worklogDecider,
} from '@handover/core';
import { type Deciders, eraseDecider } from '@handover/engine';

/** Which decider folds which kind of stream. */
export const deciders: Deciders = {
  session: eraseDecider(sessionDecider),
  policies: eraseDecider(policiesDecider),
  modes: eraseDecider(modesDecider),
  worklog: eraseDecider(worklogDecider),
  operation: eraseDecider(operationDecider),
  configuration: eraseDecider(configurationDecider),
};
