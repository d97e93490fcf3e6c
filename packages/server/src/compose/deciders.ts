import {
  carrierDecider,
  configurationDecider,
  modesDecider,
  operationDecider,
  policiesDecider,
  sessionDecider,
  worklogDecider,
} from '@handover/core';
import type { Deciders } from '@handover/engine';

/** Which decider folds which kind of stream. */
export const deciders: Deciders = {
  session: sessionDecider,
  policies: policiesDecider,
  modes: modesDecider,
  worklog: worklogDecider,
  operation: operationDecider,
  carrier: carrierDecider,
  configuration: configurationDecider,
};
