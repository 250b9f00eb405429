/** Random steps of a database and of the process that follows it, as data. */
import fc from 'fast-check';

export type FollowerStep =
  /** One transaction. `puts` are positions in the list of samples. */
  | {
      readonly kind: 'commit properties';
      readonly puts: readonly number[];
      readonly withdrawals: readonly string[];
    }
  /** Creates the credential, or revokes it where it is there. */
  | { readonly kind: 'commit credential'; readonly credentialId: string }
  | { readonly kind: 'restart follower' }
  /** Nothing is committed; calls go on. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'back up' }
  /** To a backup made before, counted from the first, which is that of the empty database. */
  | { readonly kind: 'restore'; readonly backup: number };

/** A step, and how many steps calls to the database then go on. */
export interface TimedStep {
  readonly step: FollowerStep;
  readonly calls: number;
}

const SAMPLE_IDS = 61;
const CREDENTIALS = 3;
const CALLS_MAX = 11;

/** Steps of a database that only goes forward; `sampleCount` samples can be put. */
export function anyFollowerStep(sampleCount: number): fc.Arbitrary<TimedStep> {
  return timed(...forwardSteps(sampleCount));
}

/** Also those of a database that is restored. */
export function anyRestoringStep(sampleCount: number): fc.Arbitrary<TimedStep> {
  const backUp = fc.record({ kind: fc.constant('back up' as const) });
  const restore = fc.record({ kind: fc.constant('restore' as const), backup: fc.nat(5) });
  return timed(
    ...forwardSteps(sampleCount),
    { weight: 3, arbitrary: backUp },
    { weight: 3, arbitrary: restore },
  );
}

interface Weighted {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<FollowerStep>;
}

function forwardSteps(sampleCount: number): Weighted[] {
  const commitProperties = fc.record({
    kind: fc.constant('commit properties' as const),
    puts: fc.array(fc.nat(sampleCount - 1), { maxLength: 3 }),
    withdrawals: fc.array(
      fc.nat(SAMPLE_IDS - 1).map((id) => `h${id}`),
      { maxLength: 1 },
    ),
  });
  const commitCredential = fc.record({
    kind: fc.constant('commit credential' as const),
    credentialId: fc.nat(CREDENTIALS - 1).map((id) => `c${id}`),
  });
  return [
    { weight: 5, arbitrary: commitProperties },
    { weight: 3, arbitrary: commitCredential },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart follower' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  ];
}

function timed(...steps: Weighted[]): fc.Arbitrary<TimedStep> {
  return fc.record({ step: fc.oneof(...steps), calls: fc.nat(CALLS_MAX) });
}

/** The step as a sentence: what a failed test prints. `sampleIds` are the properties that can be put. */
export function tellFollowerStep({ step, calls }: TimedStep, sampleIds: readonly string[]): string {
  return `${tell(step, sampleIds)}; then ${calls} calls go on`;
}

function tell(step: FollowerStep, sampleIds: readonly string[]): string {
  switch (step.kind) {
    case 'commit properties':
      return `put ${step.puts.map((put) => sampleIds[put]).join(', ') || 'nothing'}, withdraw ${step.withdrawals.join(', ') || 'nothing'}`;
    case 'commit credential':
      return `create or revoke credential ${step.credentialId}`;
    case 'restart follower':
      return 'stop the follower and start another one';
    case 'wait':
      return 'commit nothing';
    case 'back up':
      return 'back up the database';
    case 'restore':
      return `restore backup ${step.backup}`;
  }
}
