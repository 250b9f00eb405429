/** What is kept of an answer once it was given: counts, the end of its trace, lines of the log. */
import type { Logger } from 'pino';
import type { Activity } from '../../activity/activity.ts';
import { idsOf } from '../../observability/caller.ts';
import { createFailureLog } from '../../observability/failure-log.ts';
import { NO_PROBLEM, type RequestMeter } from '../../observability/metrics/request-meter.ts';
import { createRefusalLog } from '../../observability/refusal-log.ts';
import type { OnAnswered } from './guarded-response.ts';

export interface RecorderDeps {
  readonly meter: RequestMeter;
  readonly logger: Logger;
  /** Of the partner listener. */
  readonly activity?: Pick<Activity, 'answered'> | undefined;
}

/** Answers to requests without a token: nobody was refused. */
const NO_TOKEN_CODES: ReadonlySet<string> = new Set(['PARTNER_AUTH_REQUIRED', 'OPERATOR_AUTH_REQUIRED']);

/** The operation is named, not the path: some clients put what is secret there. */
export function createRecorder({ meter, logger, activity }: RecorderDeps): OnAnswered {
  const failures = createFailureLog(logger);
  const refusals = createRefusalLog(logger);
  const isEachLogged = logger.isLevelEnabled('debug');

  return (response, status, code) => {
    const { correlationId, trace, caller, failureCause, operationName: operation, startedAtMs } = response;
    const { method } = response.req;
    // Refused before its turn came, as behind bytes that can't be parsed: its time can't be measured.
    const durationMs = startedAtMs === 0 ? 0 : performance.now() - startedAtMs;
    meter.count(operation, status, code, durationMs);
    meter.credentials.count(caller, status);
    const { liveAsker } = response;
    if (liveAsker !== undefined)
      activity?.answered(response, liveAsker, status, code === NO_PROBLEM ? '' : code, durationMs);
    if (status === 401 && failureCause?.isForced !== true && !NO_TOKEN_CODES.has(code))
      refusals.note(code, caller);
    trace?.end({ correlationId, operation, method, status, code });
    if (status < 500 && !isEachLogged) return;
    const ids = caller === undefined ? {} : idsOf(caller);
    const line = { correlationId, operation, method, status, code, durationMs, ...ids };
    if (status >= 500 && failureCause?.isForced !== true) failures.note({ ...line, ...failureCause });
    if (isEachLogged) logger.debug(line, 'answered');
  };
}
