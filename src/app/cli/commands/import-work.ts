/**
 * Running an import for a person: rejections and progress on standard error.
 */
import { inEnglish, sayAlone } from '../../../domain/wrong.ts';
import type { Command } from 'commander';
import { runImport, type ImportOptions, type ImportResult } from '../../../supply/run/import-run.ts';
import { type JoinedMistake, MistakeList } from '../../../supply/run/mistake-list.ts';
import type { Rejection, Supply } from '../../../supply/run/supply-item.ts';
import type { Encoding } from '../../../supply/sheet/encodings.ts';
import { SEPARATOR_NAMES, type SheetChoices, type SheetFacts } from '../../../supply/sheet/sheet.ts';
import type { FoundHandSet } from '../../../supply/manual-override/hand-set-prices.ts';
import { formatNights } from '../../../operator/acts/readable-changes.ts';
import { encodingName } from '../terminal/option-values.ts';
import { openProgress } from '../terminal/progress.ts';

type VisibleImportOptions = Omit<ImportOptions, 'onRejection' | 'onWarning' | 'onNotice' | 'onProgress'>;

/** `label` is printed before the progress: what is imported. Mistakes of a sheet are named at its end, equal ones once. */
export async function importVisibly(
  supply: Supply,
  label: string,
  options: VisibleImportOptions,
): Promise<ImportResult & { readonly mistakes: MistakeList }> {
  const display = openProgress(label);
  const mistakes = new MistakeList();
  try {
    const result = await runImport(supply, {
      ...options,
      onRejection: (rejection) =>
        supply.sheet === undefined ? display.note(formatRejection(rejection)) : mistakes.add(rejection),
      onWarning: (warning) => display.note(formatWarning(warning)),
      onNotice: (notice) => display.note(sayAlone(notice, 'en-GB')),
      onProgress: (progress) => display.update(progress),
    });
    return { ...result, mistakes };
  } finally {
    display.stop();
  }
}

/** `catalogue.ndjson:12: warning: inventoryTypes[0].calendar[0].rate: is 0.00: the night sells for nothing` */
export function formatWarning({ file, line, field, reason }: Rejection): string {
  return `${file}:${line}: warning: ${field === '' ? '' : `${field}: `}${inEnglish(reason)}`;
}

/** `catalogue.ndjson:12: bathrooms: must be a multiple of 0.5, not 1.3` */
export function formatRejection({ file, line, field, reason }: Rejection): string {
  return `${file}:${line}: ${field === '' ? '' : `${field}: `}${inEnglish(reason)}`;
}

// Sheets.

/** Options of the commands that read sheets: the choices that readers take. */
export interface SheetOptions {
  readonly sheet?: string;
  readonly encoding?: Encoding;
  readonly ignoreColumns?: true;
}

export function withSheetOptions(command: Command): Command {
  return command
    .option('--sheet <name>', 'sheet of the workbook; the first one that is not hidden unless given')
    .option(
      '--encoding <name>',
      'encoding of a CSV file, such as windows-1250, iso-8859-2 or macintosh; found out unless given',
      encodingName,
    )
    .option('--ignore-columns', 'leave unknown columns out');
}

/** The first that is given, as it is typed. */
export function sheetOptionOf({ sheet, encoding, ignoreColumns }: SheetOptions): string | undefined {
  const values = { '--sheet': sheet, '--encoding': encoding, '--ignore-columns': ignoreColumns };
  return Object.entries(values).find(([, value]) => value !== undefined)?.[0];
}

/** The options that the reader of a sheet takes. */
export function sheetChoices({ sheet, encoding, ignoreColumns }: SheetOptions): SheetChoices {
  return { sheet, encoding, ignoreColumns: ignoreColumns === true };
}

/** The lines for standard error. */
export function formatMistakes(file: string, mistakes: MistakeList): string[] {
  const more = mistakes.leftOut === 0 ? [] : [`${file}: and ${mistakes.leftOut} other mistakes`];
  return [...mistakes.joined().map((mistake) => formatJoinedMistake(file, mistake)), ...more];
}

/** `rates.csv:3: rate: must be … (hotel-ponte)`, or `rates.csv: 40 rows (2-41): rate: must be …`. */
function formatJoinedMistake(
  file: string,
  { rowCount, rows, propertyId, column, reason }: JoinedMistake,
): string {
  const place = rowCount === 1 ? `${file}:${rows}` : `${file}: ${rowCount} rows (${rows})`;
  const heading = column === '' ? '' : `${column}: `;
  return `${place}: ${heading}${inEnglish(reason)}${propertyId === '' ? '' : ` (${propertyId})`}`;
}

/** How a sheet was read, and its mistakes, beside the summary in JSON; nothing for other files. */
export function sheetAnswer(sheet: SheetFacts | undefined, mistakes: MistakeList): object {
  return sheet === undefined
    ? {}
    : { ...sheet, rejections: mistakes.rows.map((row) => ({ ...row, reason: inEnglish(row.reason) })) };
}

/** The same for people. */
export function sheetFields(sheet: SheetFacts | undefined): Readonly<Record<string, string>> {
  if (sheet === undefined) return {};
  const { encoding, separator, sheet: name } = sheet;
  return {
    ...(encoding !== null && { encoding }),
    ...(separator !== null && { separator: SEPARATOR_NAMES[separator] }),
    ...(name !== null && { sheet: name }),
  };
}

// Prices by hand.

/** Lines for a dry run: `These nights were priced by hand, and the file would price them again:` and each of them. */
export function formatSetByHand({ setByHand, setByHandLeftOut: more }: FoundHandSet): string[] {
  if (setByHand.length === 0) return [];
  return [
    'These nights were priced by hand, and the file would price them again:',
    ...setByHand.map((nights) => `  ${nights.propertyId}/${nights.inventoryTypeId}  ${formatNights(nights)}`),
    ...(more > 0 ? [`  and ${more} further ranges of nights`] : []),
  ];
}
