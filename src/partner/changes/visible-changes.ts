/** The part of the feed of changes that webhooks use. */
import type { ChangePosition } from '../../storage/catalogue/change-store.ts';
import type { Revision } from '../../storage/history/revision.ts';

/** Where to look on. */
export interface LookFrom {
  /** The partner was told of everything up to here: at most the newest committed revision. */
  readonly revision: Revision;
  /** Where a look that was too long goes on. What was looked at may change again, and is then found behind it. */
  readonly place?: ChangePosition;
}

export interface LookedForChanges {
  readonly changed: boolean;
  readonly from: LookFrom;
}

export interface VisibleChanges {
  /**
   * Whether a change up to this revision, or a later one, is visible to the partner. Reads a bounded number of changes.
   * A database that goes back may lose the later ones, so without any the next look begins at this revision.
   */
  readonly hasChanges: (partnerId: string, from: LookFrom, upTo: Revision) => Promise<LookedForChanges>;
}
