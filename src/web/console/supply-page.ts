/** `/console/supply`: what comes in, and which of it waits for a person. */
import type { HeldFeed, SupplyShown } from '../../console/supply.ts';
import { breakable, codeText, type Content, type Html, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { commandText, headedTable, idLink, type PageView } from './elements.ts';
import { feedState, feedTable } from './feed-table.ts';
import type { PageParts } from './frame.ts';

export function supplyPage(view: PageView, shown: SupplyShown): PageParts {
  const { supply: texts, feeds, bar, frame } = view.messages;
  const { rows, more } = shown;
  const { sourceTable, messageTable, freshnessTable } = tables(view, shown);
  return {
    title: bar.supply,
    main: html`${inNeed(view, shown)} ${sourceTable} ${messageTable}
      <h2>${feeds.caption}</h2>
      ${feedTable(view, rows.feeds, 'ical subscribe --property ID --type TYPE --url URL')}
      ${more.feeds && html`<p>${frame.thereAreMore} ${commandText('ical list')}</p>`} ${freshnessTable}
      ${more.freshness && html`<p>${texts.moreFreshness} ${commandText('freshness --stale-hours 24')}</p>`}`,
    command: 'freshness',
  };
}

/** Calendars that wait for a person. */
function inNeed(view: PageView, { held, failing }: SupplyShown): Content {
  const texts = view.messages.supply;
  const failures = failing.map(
    (feed) =>
      html`<p class="bad">
        ${idLink(view, 'properties', feed.propertyId)}, ${feed.host}: ${feedState(view, feed)}
      </p>`,
  );
  return [
    held.length > 0 &&
      html`<h2>${texts.held}</h2>
        <p>${texts.heldWhy}</p>
        ${held.map((one) => heldSection(view, one))}`,
    failing.length > 0 &&
      html`<h2>${texts.failing}</h2>
        ${failures}`,
  ];
}

function heldSection(view: PageView, { feed, opens, closes, leftOut }: HeldFeed): Html {
  const texts = view.messages.supply;
  const { feedId, host, inventoryTypeId, name, propertyId } = feed;
  const nights = (list: HeldFeed['opens']): Content =>
    list.length === 0 ? undefined : list.map((one) => elements.nightsText(view, one)).join('; ');
  const changes = { wouldOpen: nights(opens), wouldClose: nights(closes) };
  const form = { act: 'accept', path: '/console/supply/accept', fields: { feedId }, button: texts.accept };
  return html`<section class="warn" data-feed="${feedId}">
    <p>
      <b><bdi>${name ?? breakable(feedId)}</bdi></b
      >, ${host}, ${idLink(view, 'properties', propertyId)}, ${inventoryTypeId}
    </p>
    ${elements.fieldList(view, changes)} ${leftOut > 0 && html`<p>${texts.leftOut(leftOut)}</p>`}
    ${elements.mayAct(view, 'operator') ? elements.actForm(view, form) : commandText(`ical accept ${feedId}`)}
  </section>`;
}

/** Who speaks, what they said last, and when each property was confirmed. */
function tables(view: PageView, { rows, sources }: SupplyShown) {
  const texts = view.messages.supply;
  const sourceTable = headedTable(view, {
    ...{ caption: texts.sources, rows: sources },
    cells: ({ source, newestConfirmedAt: newest, oldestConfirmedAt: oldest, properties }) => ({
      ...{ source, newest, oldest, properties },
    }),
    empty: [texts.noSources, ' ', commandText('import catalogue FILE')],
  });
  const messageTable = headedTable(view, {
    ...{ caption: texts.messages, rows: rows.messages },
    cells: (one) => ({
      ...{ received: one.receivedAt, source: one.source, kind: one.kind },
      ...{ verdict: texts.verdicts[one.verdict] ?? one.verdict, changed: one.changed },
      errors: mistakesText(one.errorCount, one.errors),
      warnings: mistakesText(one.warningCount, one.warnings),
      message: one.messageId,
    }),
    empty: [texts.noMessages, ' ', codeText('PATCH /supply/v1/calendars')],
  });
  const freshnessTable = headedTable(view, {
    ...{ caption: texts.freshness, rows: rows.freshness },
    cells: ({ propertyId: property, source, confirmedAt: confirmed, ageHours: hours }) => ({
      ...{ property, source, confirmed, hours },
    }),
  });
  return { sourceTable, messageTable, freshnessTable };
}

/** The number, and the first of them in its own words. */
function mistakesText(count: number, shown: readonly { readonly detail: string }[]): Content {
  const [first] = shown;
  return first === undefined ? count : html`${count}: <span lang="en"><bdi>${first.detail}</bdi></span>`;
}
