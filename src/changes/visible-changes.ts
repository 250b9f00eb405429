/** The part of the feed of changes that webhooks use. */
import type { Revision } from '../storage/history/revision.ts';

export interface LookedForChanges {
  /** The revision up to which changes were read; continue from here. At most the newest committed revision. */
  readonly newest: Revision;
  readonly changed: boolean;
}

export interface VisibleChanges {
  /**
   * Whether a committed change after this revision is visible to the partner. Reads a bounded number of changes:
   * `newest` may be earlier than the last one.
   */
  readonly hasChanges: (partnerId: string, afterRevision: Revision) => Promise<LookedForChanges>;
}
