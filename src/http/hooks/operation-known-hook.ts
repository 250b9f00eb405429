/** Refuses what is not an operation, before any credential is asked for: 404, or 405 with Allow when the path is known. */
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import { presentUnknownOperation } from '../answers/present-problem.ts';
import { rawPathOf } from '../answers/request-target.ts';
import type { PartnerHook } from './partner-exchange.ts';

const VERSION_MISSING = 'No operation has this path. The paths of operations begin with /v1.';
const findOperation = buildRouter(OPERATIONS);

export const operationKnownHook: PartnerHook = ({ request, response, route }) => {
  if (route.found === 'path') presentUnknownOperation(response, route.allowedMethods);
  if (route.found !== 'nothing') return;
  const versioned = findOperation('', `/v1${rawPathOf(request.url ?? '/')}`);
  presentUnknownOperation(response, [], versioned.found === 'nothing' ? undefined : VERSION_MISSING);
};
