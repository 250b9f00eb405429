/** Refuses what is not an operation, before any credential is asked for: 404, or 405 with Allow when the path is known. */
import { presentUnknownOperation } from '../answers/present-problem.ts';
import type { PartnerHook } from './partner-exchange.ts';

export const operationKnownHook: PartnerHook = ({ response, route }) => {
  if (route.found !== 'operation') {
    presentUnknownOperation(response, route.found === 'path' ? route.allowedMethods : []);
  }
};
