/** `/console/supply`: what comes in, and which of it waits for a person. */
import { reasonDetail, storedReason } from '../../web/reason-text.ts';
import type { NotedError } from '../../../supply/messages/supply-result.ts';
import { formRow, pageRow } from '../../web/page-row.ts';
import type { FeedFailures, FeedView } from '../../../supply/ical/feed-changes.ts';
import { type HeldFeed, isFeed, readSupply, type SupplyShown } from './read.ts';
import { breakable, codeText, type Content, type Html, html } from '../../../http/html/html.ts';
import { foldedForm, formAct } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import { headedTable, idLink, linkTo, named, type PageView, thereAreMore } from '../../web/elements.ts';
import { pathOf } from '../../reading/paths.ts';
import type { PageParts } from '../../web/frame.ts';
import { connectionTable } from '../connections/new-page.ts';
import { importLink } from '../import/page.ts';
import { SUPPLY_TEXTS } from './messages.ts';

export function supplyPage(view: PageView, shown: SupplyShown): PageParts {
  const texts = SUPPLY_TEXTS[view.locale];
  const { bar } = view.messages;
  const { rows, names, failures, more, nextPath, firstMistakes, sources, held, failing, mappings } = shown;
  const { search, unread } = shown;
  const messages = rows.messages.map((one) => ({
    ...one,
    verdict: texts.verdicts[one.verdict] ?? one.verdict,
    errors: mistakesText(view, one.errorCount, firstMistakes.get(one.messageId)?.errors),
    warnings: mistakesText(view, one.warningCount, firstMistakes.get(one.messageId)?.warnings),
  }));
  return {
    title: bar.supply,
    act: formAct(view, 'feed-add', PATH),
    main: [
      html`<p>${importLink(view)}</p>`,
      connectionTable(view, shown.connections),
      held.length > 0 &&
        html`<h2>${texts.held}</h2>
          <p>${texts.heldWhy}</p>`,
      held.map((one) => heldSection(view, one, names)),
      failing.length > 0 && html`<h2>${texts.failing}</h2>`,
      failing.map(
        (feed) =>
          html`<p class="bad">${feedTitle(view, feed, names)}${failureText(view, feed, failures)}</p>`,
      ),
      headedTable(view, {
        caption: texts.sources,
        rows: sources
          .slice(0, SOURCES_SHOWN_MAX)
          .map((row) => ({ ...row, changes: retirement(view, row.source) })),
        columns: ['source', 'newestConfirmedAt', 'oldestConfirmedAt', 'properties', 'changes'],
      }),
      sources.length > SOURCES_SHOWN_MAX && thereAreMore(view, 'source list'),
      headedTable(view, { caption: texts.messages, columns: OF_MESSAGE, rows: messages }),
      feedTable(
        view,
        { feeds: rows.feeds, failures, names },
        (rows.feeds.length > 0 || search !== undefined) && [
          elements.searchForm(view, PATH, search),
          elements.unreadNote(view, unread),
        ],
      ),
      more.feeds && thereAreMore(view, 'ical list'),
      foldedForm(view, 'feed-add', PATH),
      changeForm(view, rows.feeds),
      mappingTable(view, mappings, names),
      more.mappings && thereAreMore(view, 'mapping list'),
      foldedForm(view, 'mapping-set', PATH),
      newsTables(view, shown),
      elements.nextLink(view, nextPath),
      more.freshness && thereAreMore(view, 'freshness --stale-hours 24'),
    ],
    command: 'freshness',
  };
}

const PATH = '/console/supply';
/** The longest silent ones; each with a form. */
const SOURCES_SHOWN_MAX = 10;

/** Properties by when something last came of them, a table for each source. */
function newsTables(view: PageView, { rows: { freshness }, names, sources }: SupplyShown): Content {
  const texts = SUPPLY_TEXTS[view.locale];
  const counts = new Map(sources.map(({ source, properties }) => [source, texts.ofSource(properties)]));
  return [
    freshness.length > 0 && html`<h2>${texts.freshness}</h2>`,
    [...Map.groupBy(freshness, ({ source }) => source)].map(([source, confirmed]) => [
      html`<h3>${codeText(source)}${counts.has(source) && ` · ${counts.get(source)!}`}</h3>`,
      elements.dataTable(view, {
        caption: `${texts.freshness}, ${source}`,
        rows: confirmed.map((row) => ({ ...row, propertyId: propertyLink(view, row.propertyId, names) })),
        columns: ['propertyId', 'confirmedAt', 'ageHours'],
      }),
    ]),
  ];
}

/** Feeds and manual closings end in another way; the dry run says so too. */
function retirement(view: PageView, source: string): Content {
  return foldedForm(view, 'source-retire', PATH, { fields: { source }, key: source, look: 'quiet' });
}

function mappingTable(view: PageView, mappings: SupplyShown['mappings'], names: Names): Html {
  const rows = mappings.map((one) => {
    const { source, externalKey: external } = one;
    const changes = elements.actForm(view, 'mapping-delete', PATH, {
      fields: { source, external },
      look: 'quiet',
    });
    const propertyId = propertyLink(view, one.propertyId, names);
    return { ...one, external, changes, propertyId };
  });
  return headedTable(view, {
    caption: view.messages.forms.mappings,
    firstAct: 'mapping-set',
    columns: ['external', 'source', 'propertyId', 'inventoryTypeId', 'changes'],
    rows,
  });
}

const OF_MESSAGE = [
  ...(['receivedAt', 'source', 'kind', 'verdict', 'changed'] as const),
  ...(['errors', 'warnings', 'messageId'] as const),
];

function heldSection(view: PageView, { feed, opens, closes, leftOut }: HeldFeed, names: Names): Html {
  const { feedId } = feed;
  const nights = (list: HeldFeed['opens']): string | undefined =>
    list.length === 0 ? undefined : list.map((one) => elements.nightsText(view, one)).join('; ');
  const changes = { wouldOpen: nights(opens), wouldClose: nights(closes) };
  const form = elements.actForm(view, 'accept', PATH, { fields: { feedId } });
  return html`<section class="warn" data-feed="${feedId}">
    <p>${feedTitle(view, feed, names)}</p>
    ${elements.fieldList(view, changes)}
    ${leftOut > 0 && html`<p>${view.messages.frame.leftOut(leftOut)}</p>`} ${form}
  </section>`;
}

/** Its name where it has one, its id, which commands take, whose nights it closes, and where it comes from. */
function feedTitle(view: PageView, feed: FeedView, names: Names): Html {
  const { propertyId, inventoryTypeId, host } = feed;
  return html`${feedName(feed)}, ${propertyLink(view, propertyId, names)}, ${inventoryTypeId}, ${host}`;
}

type Names = SupplyShown['names'];

/** By its name, with the id beside it, which files and commands take. */
function propertyLink(view: PageView, propertyId: string, names: Names): Html {
  const name = names.get(propertyId);
  if (name === undefined) return idLink(view, 'properties', propertyId);
  return html`${linkTo(view, pathOf('properties', propertyId), named(name))}
    <small class="fine">${breakable(propertyId)}</small>`;
}

function feedName({ name, feedId }: FeedView): Html {
  return html`${name !== null && html`<b><bdi>${name}</bdi></b> `}<code>${breakable(feedId)}</code>`;
}

/** The number, and the first of them. */
function mistakesText(view: PageView, count: number, first: NotedError | undefined): Content {
  if (first === undefined) return count;
  const { wrong, detail } = first;
  return html`${count}: ${storedReason(view, wrong, detail, reasonDetail)}`;
}

interface ListedFeeds {
  readonly feeds: readonly FeedView[];
  readonly failures: FeedFailures;
  readonly names?: Names;
}

/** Subscribed calendars as `ical list` has them: here, and on the page of their property. */
export function feedTable(
  view: PageView,
  { feeds, failures, names = new Map() }: ListedFeeds,
  about?: Content,
): Html {
  const texts = SUPPLY_TEXTS[view.locale];
  const parts = {
    caption: texts.feeds,
    firstAct: 'feed-add',
    columns: [
      'feedId',
      'propertyId',
      'inventoryTypeId',
      'host',
      'state',
      'nights',
      'confirmedAt',
      'nextPollAt',
      'changes',
    ],
    rows: feeds.map((feed) => ({
      ...feed,
      feedId: feedName(feed),
      propertyId: propertyLink(view, feed.propertyId, names),
      state: html`${texts.states[feed.state]}${failureText(view, feed, failures)}`,
      changes: feedForms(view, feed),
    })),
  } as const;
  return headedTable(view, parts, about);
}

/** All of them on the page of supply, wherever the feed is shown. */
function feedForms(view: PageView, { feedId }: FeedView): Content {
  const fields = { feedId };
  const remove = elements.actForm(view, 'feed-remove', PATH, { fields, look: 'danger' });
  return [
    elements.actForm(view, 'feed-test', PATH, { fields, look: 'quiet' }),
    remove !== '' &&
      html`<details>
        <summary>${view.messages.acts['feed-remove']}…</summary>
        ${remove}
      </details>`,
  ];
}

/** One for all feeds of the page; what is left empty stays as it is. A URL is never shown. */
function changeForm(view: PageView, feeds: readonly FeedView[]): Content {
  const feedId = feeds.map((feed) => [feed.feedId, `${feed.name ?? feed.feedId}, ${feed.host}`] as const);
  return feeds.length > 0 && foldedForm(view, 'feed-update', PATH, { choices: { feedId } });
}

function failureText(view: PageView, { feedId, failure }: FeedView, failures: FeedFailures): Content {
  return failure !== null && html`: ${storedReason(view, failures.get(feedId), failure)}`;
}

export const SUPPLY_PAGE = pageRow('supply', '/console/supply', readSupply, supplyPage, [
  formRow('accept', { exists: isFeed }),
  formRow('feed-add'),
  formRow('feed-update'),
  formRow('feed-test', { exists: isFeed, isShown: true }),
  formRow('feed-remove', { exists: isFeed }),
  formRow('mapping-set'),
  formRow('mapping-delete'),
  formRow('source-retire', { isPreviewed: true }),
]);
