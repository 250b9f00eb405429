/** `/console/import`: send a file, take one away; `/console/import/files/ID`: what a file would change, and its form. */
import { ownFormRow, pageRow } from '../../web/page-row.ts';
import type { ShownBy } from '../../reading/console-page.ts';
import {
  FILE_BYTES_MAX,
  type ImportCounts,
  type ImportKind,
  type ImportState,
  wouldChange,
} from '../../reading/import-state.ts';
import { type EncodingDoubt, READINGS, USUAL_ENCODINGS } from '../../../supply/sheet/encodings.ts';
import { SEPARATOR_NAMES } from '../../../supply/sheet/sheet.ts';
import type { HeaderMistakes } from '../../../supply/sheet/sheet-header.ts';
import { reasonAlone, reasonText, storedReason } from '../../web/reason-text.ts';
import type { Told } from '../../../domain/wrong.ts';
import { applyFile, IMPORT_PATH, importPath, readImport, readImports } from './read.ts';
import { withQuery } from '../../reading/paths.ts';
import { labelOf } from '../property-form/inputs.ts';
import { codeText, type Content, type Html, html } from '../../../http/html/html.ts';
import { IMPORT_SCRIPT } from '../../web/assets.ts';
import { inPageAct } from '../../web/act-form.ts';
import * as elements from '../../web/elements.ts';
import { actForm, headedTable, linkTo, named, type PageView, thereAreMore } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { IMPORT_TEXTS } from './messages.ts';

/** As spreadsheets have it. */
const SHEET_NAME_LENGTH_MAX = 31;
const USUAL_SOURCE = 'catalogue';
/** Sources whose properties can be downloaded; the command "source list" has all. */
const SOURCES_SHOWN_MAX = 50;
/** Where no script runs. */
const REFRESH_SECONDS = 2;
/** The parameter of a CSV file for spreadsheet programs of countries with decimal commas. */
const SEMICOLONS = { separator: 'semicolon' };
const ACCEPTED: Readonly<Record<ImportKind, string>> = {
  catalogue: '.ndjson,.jsonl,.csv,.tsv,.xlsx,.xlsm,.gz',
  rates: '.csv,.tsv,.txt,.xlsx,.xlsm,.gz',
};

export function importPage(view: PageView, { rows, sources }: ShownBy<typeof readImports>): PageParts {
  const texts = IMPORT_TEXTS[view.locale];
  return {
    title: texts.title,
    act: inPageAct(view, 'import-catalogue', 'catalogue-file', texts.choose),
    main: [
      html`<p>${texts.about(FILE_BYTES_MAX / 2 ** 20)}</p>`,
      html`<div class="tiles">
        ${(['catalogue', 'rates'] as const).map(
          (kind) =>
            html`<section class="card">
              <h2>${texts.kinds[kind]}</h2>
              ${sendForm(view, kind)}
            </section> `,
        )}
      </div>`,
      html`<h2>${texts.download}</h2>`,
      html`<p>
        ${linkTo(view, `${IMPORT_PATH}/template.csv`, texts.template)}
        (${linkTo(view, withQuery(`${IMPORT_PATH}/template.csv`, SEMICOLONS), texts.withSemicolons)})
      </p>`,
      html`<ul>
        ${sources
          .slice(0, SOURCES_SHOWN_MAX)
          .map(
            (source) =>
              html`<li>
                ${codeText(source)}:
                ${linkTo(view, withQuery(`${IMPORT_PATH}/export.csv`, { source }), texts.csv)}
                (${linkTo(view, withQuery(`${IMPORT_PATH}/export.csv`, { source, ...SEMICOLONS }), texts.withSemicolons)}),
                ${linkTo(view, withQuery(`${IMPORT_PATH}/export.ndjson`, { source }), texts.ndjson)}
              </li> `,
          )}
      </ul>`,
      sources.length > SOURCES_SHOWN_MAX && thereAreMore(view, 'source list'),
      headedTable(
        view,
        {
          caption: texts.files,
          columns: ['file', 'kind', 'person', 'receivedAt', 'state'],
          rows: rows.map((state) => ({
            file: linkTo(view, importPath(state.importId), named(state.fileName)),
            kind: texts.kinds[state.kind],
            person: state.person,
            receivedAt: state.receivedAt,
            state: texts.phases[state.phase],
          })),
        },
        html`<p class="fine">${texts.kept}</p>`,
      ),
    ],
    command: 'import catalogue FILE --dry-run',
  };
}

/** For the pages where people look for it. */
export function importLink(view: PageView): Html {
  return linkTo(view, IMPORT_PATH, IMPORT_TEXTS[view.locale].title);
}

/** Fields that were sent before, for a form that is shown again; browsers forget the file. */
type SentFields = Readonly<Partial<Record<'source' | 'replace' | 'sheet' | 'encoding', string>>>;

function sendForm(view: PageView, kind: ImportKind, sent: SentFields = {}): Html | '' {
  const texts = IMPORT_TEXTS[view.locale];
  const { words } = view.messages;
  const fieldOf = (name: 'source' | 'replace' | 'sheet' | 'file', hint: string, input: Html): Html => {
    const id = `${kind}-${name}`;
    return html`<div class="field">
      <label for="${id}">${words[name]}</label>
      <input id="${id}" name="${name}" ${input} aria-describedby="${id}-hint" />
      <small id="${id}-hint">${hint}</small>
    </div> `;
  };
  const { source = USUAL_SOURCE, replace, sheet = '', encoding = '' } = sent;
  const isTicked = replace === 'yes' && html`checked`;
  const isUsual = source === USUAL_SOURCE && isTicked === false && sheet === '' && encoding === '';
  const inputs = [
    // Browsers send fields in this order, and what to do with a file must be known when its first byte arrives.
    html`<details ${!isUsual && html`open`}>
      <summary>${texts.options}</summary>
      ${fieldOf('source', texts.sourceHint, html`value="${source}" maxlength="64"`)}
      ${kind === 'catalogue' && fieldOf('replace', texts.replaceHint, html`type="checkbox" value="yes" ${isTicked}`)}
      ${fieldOf('sheet', texts.sheetHint, html`value="${sheet}" maxlength="${SHEET_NAME_LENGTH_MAX}"`)}
      ${encodingField(view, kind, encoding)}
    </details>`,
    fieldOf('file', texts.fileHints[kind], html`type="file" required accept="${ACCEPTED[kind]}"`),
  ];
  return actForm(view, `import-${kind}`, IMPORT_PATH, { inputs, takesFile: true, isTall: true });
}

function encodingField(view: PageView, kind: ImportKind, chosen: string): Html {
  const texts = IMPORT_TEXTS[view.locale];
  const id = `${kind}-encoding`;
  const options = USUAL_ENCODINGS.map(
    (name) => html`<option value="${name}" ${name === chosen && html`selected`}>${name}</option> `,
  );
  return html`<div class="field">
    <label for="${id}">${texts.encoding}</label>
    <select id="${id}" name="encoding" aria-describedby="${id}-hint">
      <option value="">${texts.encodingFound}</option>
      ${options}
    </select>
    <small id="${id}-hint">${texts.encodingHint}</small>
  </div> `;
}

/** The answer to a file that was not taken: why, and the form with what was typed. */
export function refusedImportPage(
  view: PageView,
  kind: ImportKind,
  sent: SentFields,
  problem: Told,
): PageParts {
  return {
    title: view.messages.refused.act,
    act: undefined,
    main: [
      html`<p class="bad" role="alert">${reasonAlone(view, problem)}</p>`,
      html`<h2>${IMPORT_TEXTS[view.locale].kinds[kind]}</h2>`,
      sendForm(view, kind, sent),
      elements.backLink(view, IMPORT_PATH),
    ],
  };
}

export function importFilePage(view: PageView, { rows: state }: ShownBy<typeof readImport>): PageParts {
  const texts = IMPORT_TEXTS[view.locale];
  const { kind, phase, fileName, source, replace, counts, applied } = state;
  const isAtWork = phase === 'checking' || phase === 'applying';
  const isUnseen = phase === 'interrupted' && counts === null;
  const form = (phase === 'shown' || phase === 'interrupted') && applyForm(view, state);
  return {
    title: texts.of(fileName),
    act: form ? inPageAct(view, `import-${kind}`, 'apply', texts.apply) : undefined,
    above: [{ path: IMPORT_PATH, text: texts.title }],
    main: html`<div data-phase="${phase}">
      <p>
        ${texts.kinds[kind]}, ${codeText(source)}${replace && html`, ${texts.replaces}`}.
        ${named(state.person)}, ${elements.timeText(view, state.receivedAt)},
        ${texts.size(elements.numberText(view, state.bytes))} ${sheetFacts(view, state)}
      </p>
      <p class="${LOOKS[phase]}" role="status">${texts.says[isUnseen ? 'unseen' : phase]}</p>
      ${state.changedMeanwhile && html`<p class="warn">${texts.changedMeanwhile}</p>`}
      ${whyFailed(view, state)} ${isAtWork && progressOf(view, state)}
      ${applied !== null && [html`<h2>${texts.applied}</h2>`, countList(view, applied)]}
      ${applied === null && counts !== null && [html`<h2>${texts.dryRun}</h2>`, countList(view, counts)]}
      ${phase === 'shown' && counts !== null && !wouldChange(counts) && html`<p>${texts.nothing}</p>`}
      ${phase === 'applied' && html`<p>${linkTo(view, '/console/properties', texts.toProperties)} ${elements.onToSetup(view)}</p>`}
      ${phase === 'shown' && state.setByHand.length > 0 && nightsByHand(view, state)}
      ${form && html`<div id="apply">${form}</div>`} ${state.changes.length > 0 && changedCells(view, state)}
      ${state.notices.map(
        (notice, at) =>
          html`<p class="warn">${storedReason(view, state.noticesWrong[at], notice, reasonAlone)}</p>`,
      )}
      ${state.mistakes.length > 0 && rejectedLines(view, state)}
      <p>${linkTo(view, IMPORT_PATH, texts.another)}</p>
    </div>`,
    ...(isAtWork && { refreshSeconds: REFRESH_SECONDS, scripts: [IMPORT_SCRIPT.path] }),
  };
}

const LOOKS = {
  checking: 'warn',
  shown: 'warn',
  applying: 'warn',
  applied: 'good',
  failed: 'bad',
  interrupted: 'bad',
} as const;

function progressOf(view: PageView, { progress, bytes }: ImportState): Html {
  const texts = IMPORT_TEXTS[view.locale];
  const read = progress?.bytesRead ?? 0;
  return html`<p>
    <progress max="${bytes}" value="${Math.min(read, bytes)}" aria-label="${texts.progress}"></progress>
    <span data-read>${elements.numberText(view, progress?.read ?? 0)}</span>
  </p>`;
}

/** The other counts are left out where they are 0. */
const SHOWN_AS_ZERO: ReadonlySet<string> = new Set(['read', 'rejected']);

function countList(view: PageView, counts: ImportCounts): Html {
  const { counts: names } = IMPORT_TEXTS[view.locale];
  const fields = Object.entries(names).flatMap(([name, text]) => {
    const count = counts[name];
    return count === undefined || (count === 0 && !SHOWN_AS_ZERO.has(name))
      ? []
      : [
          html`<dt>${text}</dt>
            <dd data-count="${name}">${elements.numberText(view, count)}</dd> `,
        ];
  });
  return html`<dl>${fields}</dl>`;
}

/** How the sheet was read. */
function sheetFacts(view: PageView, { encoding, separator, sheet }: ImportState): Content {
  const texts = IMPORT_TEXTS[view.locale];
  const facts = [
    encoding,
    separator && texts.separators[SEPARATOR_NAMES[separator]],
    sheet && texts.ofSheet(sheet),
  ];
  const said = facts.filter((fact) => fact !== null);
  return said.length > 0 && html`<span data-sheet>${said.join(', ')}.</span>`;
}

function whyFailed(view: PageView, state: ImportState): Content {
  if (state.header !== null) return headerMistakes(view, state, state.header);
  if (state.encodingDoubt !== null) return encodingQuestion(view, state, state.encodingDoubt);
  return failureOf(view, state);
}

/** The words in doubt as each encoding has them, and a button for each. */
function encodingQuestion(view: PageView, state: ImportState, { lines, leftOut }: EncodingDoubt): Html {
  const texts = IMPORT_TEXTS[view.locale];
  return html`<div data-encoding-doubt>
    <p class="warn">${texts.encodingDoubt}</p>
    ${elements.scrolling(
      texts.encodingWords,
      [texts.encodingLine, ...READINGS],
      lines.map(
        ({ line, word }) =>
          html`<tr>
            <td>${elements.numberText(view, line)}</td>
            ${READINGS.map((name) => html`<td>${named(word[name] ?? '')}</td> `)}
          </tr> `,
      ),
    )}
    ${leftOut > 0 && html`<p>${view.messages.frame.leftOut(leftOut)}</p>`}
    ${READINGS.map((name) =>
      actForm(view, `import-${state.kind}`, importPath(state.importId), {
        fields: { encoding: name },
        button: texts.readAs(name),
      }),
    )}
    <p>${texts.encodingElse}</p>
  </div>`;
}

function failureOf(view: PageView, { failure, failureWrong }: ImportState): Content {
  if (failure === null) return false;
  const reason = storedReason(view, failureWrong, failure, (...said) => `${reasonText(...said)}.`);
  return html`<p class="bad">${reason}</p>`;
}

/** All that is wrong with the header, and the form that leaves out the unknown columns. */
function headerMistakes(view: PageView, state: ImportState, header: HeaderMistakes): Content {
  const texts = IMPORT_TEXTS[view.locale];
  const lists = (['missing', 'unknown', 'twice'] as const)
    .filter((name) => header[name].length > 0)
    .map(
      (name) =>
        html`<li data-columns="${name}">
          ${texts.header[name]}: ${header[name].map((column, index) => [index > 0 && ', ', named(column)])}
        </li> `,
    );
  const parts = { fields: { ignoreColumns: 'yes' }, button: texts.leaveOut };
  return html`<ul class="bad">
      ${lists}
    </ul>
    ${header.unknown.length > 0 && actForm(view, `import-${state.kind}`, importPath(state.importId), parts)}`;
}

/** Nothing to apply where the file was never looked at to its end, or would change nothing. */
function applyForm(view: PageView, { kind, phase, importId, hash, counts }: ImportState): Content {
  if (hash === null || counts === null) return false;
  if (phase === 'shown' && !wouldChange(counts)) return false;
  const parts = { fields: { hash }, button: IMPORT_TEXTS[view.locale].apply };
  return actForm(view, `import-${kind}`, importPath(importId), parts);
}

/** Nights that a person priced, and the file would price again. */
function nightsByHand(view: PageView, { setByHand, setByHandLeftOut: more }: ImportState): Html {
  const texts = IMPORT_TEXTS[view.locale];
  const table = {
    caption: texts.byHand,
    columns: ['property', 'inventoryTypeId', 'nights'],
    rows: setByHand.map(({ propertyId, inventoryTypeId, ...nights }) => ({
      property: elements.idLink(view, 'properties', propertyId),
      inventoryTypeId,
      nights: elements.nightsText(view, nights),
    })),
  } as const;
  return html`<div data-by-hand>${headedTable(view, table, html`<p>${texts.byHandWhy}</p>`)}</div>
    ${more > 0 && html`<p>${view.messages.frame.leftOut(more)}</p>`}`;
}

/** The first cells that the file changes, before and after. */
function changedCells(view: PageView, { phase, changes, changesCut }: ImportState): Html {
  const texts = IMPORT_TEXTS[view.locale];
  const table = {
    caption: texts.cells,
    columns: ['property', 'field', 'nights', 'cellBefore', 'cellAfter'],
    rows: changes.map(({ propertyId, field, nights, before, after }) => ({
      // A new property has no page before.
      property: phase === 'applied' ? elements.idLink(view, 'properties', propertyId) : named(propertyId),
      field: nights === null ? labelOf(view, field) : (elements.findHead(view, field) ?? field),
      nights:
        nights === null ? '' : html`${named(nights.inventoryTypeId)}, ${elements.nightsText(view, nights)}`,
      cellBefore: before === null ? '–' : named(before),
      cellAfter: after === null ? '–' : named(after),
    })),
  } as const;
  return html`<div data-changes>
    ${headedTable(view, table)} ${changesCut && html`<p>${texts.cellsCut}</p>`}
  </div>`;
}

function rejectedLines(view: PageView, { mistakes, mistakesLeftOut: more }: ImportState): Html {
  const texts = IMPORT_TEXTS[view.locale];
  const why = html`<p>${texts.rejectedWhy}</p>`;
  const table = {
    caption: texts.rejections,
    columns: ['line', 'property', 'field', 'reason'],
    rows: mistakes.map(({ rowCount, rows, propertyId, column, reason, wrong }) => ({
      line: rowCount === 1 ? rows : texts.rows(elements.numberText(view, rowCount), rows),
      property: propertyId === '' ? '–' : named(propertyId),
      field: column === '' ? '–' : named(column),
      reason: storedReason(view, wrong, reason),
    })),
  } as const;
  return html`${headedTable(view, table, why)}
  ${more > 0 && html`<p>${view.messages.frame.leftOut(more)}</p>`}`;
}

// The upload has its own hook, because its body is a file.
export const IMPORT_PAGE = pageRow('import', IMPORT_PATH, readImports, importPage);

export const IMPORT_FILE_PAGE = pageRow('import-file', importPath('{importId}'), readImport, importFilePage, [
  ownFormRow({ act: 'import-catalogue', run: applyFile('catalogue') }),
  ownFormRow({ act: 'import-rates', run: applyFile('rates') }),
]);
