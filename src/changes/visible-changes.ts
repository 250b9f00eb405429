/** What webhooks ask of the feed of changes. */
import type { Revision } from '../storage/history/revision.ts';

export interface LookedForChanges {
  /** Up to here it was looked; ask again from here. At most what is committed now. */
  readonly newest: Revision;
  readonly changed: boolean;
}

export interface VisibleChanges {
  /**
   * Whether this partner could be told of a change behind this revision, of those that are committed. Looks at a bounded
   * number of changes: `newest` may be earlier than the last one.
   */
  readonly hasChanges: (partnerId: string, afterRevision: Revision) => Promise<LookedForChanges>;
}
