/** All checks in printing order. They run at once, each bounded; a failing one does not stop the others. */
import { CATALOGUE_FILE_CHECK, MACHINE_CHECKS } from './machine-checks.ts';
import { type Check, type CheckResult, type Examined, fail, type Finding } from './check.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { NETWORK_CHECKS } from './network-checks.ts';
import { OPERATION_CHECKS } from './operation-checks.ts';
import { PICTURE_CHECK, POSITION_CHECK, UPLOAD_CHECK } from './picture-check.ts';
import { REDIS_CHECKS } from './redis-checks.ts';
import { SITE_CHECK } from './site-check.ts';
import { TAX_CHECK } from './tax-check.ts';
import { Wrong } from '../../domain/wrong.ts';
import { inTime } from '../../runtime/time-limit.ts';
import { messageOf } from '../../runtime/message-of.ts';

export const CHECKS: readonly Check[] = [
  ...MACHINE_CHECKS,
  CATALOGUE_FILE_CHECK,
  ...DATABASE_CHECKS,
  ...REDIS_CHECKS,
  ...NETWORK_CHECKS,
  ...OPERATION_CHECKS,
  SITE_CHECK,
  PICTURE_CHECK,
  UPLOAD_CHECK,
  POSITION_CHECK,
  TAX_CHECK,
];

/** Longer than any single wait of a check. */
export const CHECK_MS_MAX = 15_000;

export async function examine(
  examined: Examined,
  checks: readonly Check[] = CHECKS,
  limitMs = CHECK_MS_MAX,
): Promise<readonly CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => ({ check: check.name, ...(await runOne(check, examined, limitMs)) })),
  );
}

async function runOne(check: Check, examined: Examined, limitMs: number): Promise<Finding> {
  const tooLong = (): Finding =>
    fail(new Wrong('checkLate', { seconds: limitMs / 1_000 }), new Wrong('fixDoctorAgain'));
  try {
    return await inTime(Promise.resolve(check.run(examined)), limitMs, tooLong);
  } catch (error) {
    return fail(new Wrong('checkFailed', { why: messageOf(error) }), new Wrong('fixReport'));
  }
}
