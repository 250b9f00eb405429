/**
 * The reason for which suites are skipped, in one line that reports show. Where the checks are binding (`CI=true`, as
 * `.ci/run` sets it), a suite that can't run is a failure instead.
 */
export function skippedFor(missing: string, suites: string): string {
  const reason = `${missing}: ${suites} did not run`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  return reason;
}
