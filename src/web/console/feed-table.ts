/** Subscribed calendars as `ical list` has them: on the page of their property, and on that of supply. */
import type { FeedRow } from '../../console/property.ts';
import { breakable, type Content, type Html, html } from '../kit/html.ts';
import { commandText, dataTable, type PageView } from './elements.ts';

/** `command`: what subscribes one, without `stayport`. */
export function feedTable(view: PageView, feeds: readonly FeedRow[], command: string): Content {
  const { caption, empty } = view.messages.feeds;
  return dataTable(view, {
    ...{ caption, rows: feeds },
    cells: (feed) => ({
      feed: html`<bdi>${feed.name ?? breakable(feed.feedId)}</bdi>`,
      ...{ property: feed.propertyId, type: feed.inventoryTypeId, from: feed.host },
      ...{ state: feedState(view, feed), closedNights: feed.nights },
      ...{ confirmed: feed.confirmedAt, next: feed.nextPollAt },
    }),
    empty: [empty, ' ', commandText(command)],
  });
}

export function feedState({ messages }: PageView, { state, failure }: FeedRow): Html {
  const name = messages.feeds.states[state];
  return html`${name}${failure !== null && html`: <span lang="en"><bdi>${failure}</bdi></span>`}`;
}
