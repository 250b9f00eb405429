import { inEnglish } from '../../../domain/wrong.ts';
import type { Command } from 'commander';
import { STANDARD_SOURCE } from '../../../supply/native/catalogue-file.ts';
import { openCatalogue, SHEET_ENDING } from '../../../supply/spreadsheet/read-catalogue.ts';
import {
  type InsideAirbnbOptions,
  openInsideAirbnb,
  sourceOfCity,
} from '../../../supply/inside-airbnb/inside-airbnb.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { addIcalImport } from './import-ical.ts';
import {
  formatMistakes,
  formatSetByHand,
  importVisibly,
  sheetAnswer,
  sheetChoices,
  sheetFields,
  sheetOptionOf,
  type SheetOptions,
  withSheetOptions,
} from './import-work.ts';
import { addRatesImport } from './rates-command.ts';
import {
  collect,
  countryCode,
  currencyCode,
  localDate,
  notBlank,
  sourceName,
  timezoneName,
} from '../terminal/option-values.ts';
import { formatFields } from '../terminal/readable.ts';
import { type Session, settingsInForce } from '../terminal/session.ts';
import type { Storage } from '../../../storage/storage.ts';

interface RunOptions {
  readonly replace?: true;
  readonly dryRun?: true;
  readonly strict?: true;
}

interface CatalogueOptions extends RunOptions, SheetOptions {
  readonly source: string;
}

type InsideAirbnbCommand = RunOptions &
  Omit<InsideAirbnbOptions, 'cityAliases'> & {
    readonly cityAlias?: readonly string[];
    readonly source?: string;
  };

export function addImportCommands(importing: Command, session: Session): void {
  addCatalogueImport(importing, session);
  addInsideAirbnbImport(importing, session);
  addRatesImport(importing, session);
  addIcalImport(importing, session);
}

function addCatalogueImport(importing: Command, session: Session): void {
  const catalogue = withSheetOptions(withRunOptions(importing.command('catalogue')))
    .argument(
      '<file>',
      'NDJSON, one property per line, or a spreadsheet (.xlsx, .csv, .tsv); gzip accepted; "-" is NDJSON from standard input',
    )
    .description('import a catalogue file')
    .option(
      '--source <name>',
      'where the properties come from; --replace looks at this source only',
      sourceName,
      STANDARD_SOURCE,
    )
    .addHelpText(
      'after',
      example(
        'import catalogue properties.ndjson.gz --replace',
        'import catalogue properties.xlsx --sheet Catalogo --ignore-columns --dry-run',
        'import catalogue - --dry-run < properties.ndjson',
      ),
    )
    .action(async (file: string, options: CatalogueOptions) => {
      const ignored = SHEET_ENDING.test(file) ? undefined : sheetOptionOf(options);
      if (ignored !== undefined)
        catalogue.error(`${ignored} is for spreadsheets (.xlsx, .csv, .tsv): ${file} is read as NDJSON`);
      const result = await session.withStorage(
        async (storage) => {
          const supply = await openCatalogue({
            file,
            standardInput: process.stdin,
            readsTwice: options.strict === true,
            ...sheetChoices(options),
          });
          return importVisibly(supply, 'importing', {
            ...(await runOf(session, storage, options)),
            storage,
            source: options.source,
          });
        },
        { writesMuch: true },
      );
      for (const line of formatMistakes(file, result.mistakes)) session.note(line);
      answerImport(session, { ...result, summary: { ...result.summary } }, options);
    });
}

function addInsideAirbnbImport(importing: Command, session: Session): void {
  withRunOptions(importing.command('inside-airbnb'))
    .description('import the listings and the calendar of a city as Inside Airbnb publishes them')
    .requiredOption('--listings <file>', 'listings.csv, gzip accepted')
    .requiredOption('--calendar <file>', 'calendar.csv, gzip accepted')
    .requiredOption('--city <name>', 'city under which partners find the properties', notBlank)
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2 code', countryCode)
    .requiredOption('--timezone <zone>', 'IANA timezone', timezoneName)
    .requiredOption('--currency <code>', 'ISO 4217 code; the files show $ for every currency', currencyCode)
    .option('--city-alias <name>', 'another name of the city; repeat for several', collect(notBlank))
    .option('--start-on <date>', 'move all dates so that the first night is this one', localDate)
    .option('--id-prefix <prefix>', 'prefix for the property ids', '')
    .option('--source <name>', 'where the properties come from; inside-airbnb:CITY unless given', sourceName)
    .addHelpText('after', example(INSIDE_AIRBNB_EXAMPLE))
    .action(async (options: InsideAirbnbCommand) => {
      const supply = openInsideAirbnb({ ...options, cityAliases: options.cityAlias ?? [] });
      const source = options.source ?? sourceOfCity(options.city);
      const { summary, ...result } = await session.withStorage(
        async (storage) =>
          importVisibly(supply, 'importing', {
            ...(await runOf(session, storage, options)),
            storage,
            source,
          }),
        { writesMuch: true },
      );
      const { seconds, ...counts } = summary;
      answerImport(
        session,
        { ...result, summary: { ...counts, nights: supply.nightCount(), seconds } },
        options,
      );
    });
}

const INSIDE_AIRBNB_EXAMPLE =
  'import inside-airbnb --listings listings.csv.gz --calendar calendar.csv.gz --city Antwerp --country BE ' +
  '--timezone Europe/Brussels --currency EUR';

function withRunOptions(command: Command): Command {
  return command
    .option('--replace', 'withdraw properties of the same source that the file does not list')
    .option('--dry-run', 'say what would change, write nothing')
    .option('--strict', 'write nothing when anything is rejected');
}

async function runOf(session: Session, storage: Storage, options: RunOptions) {
  const { horizonNights, bookingOrigins } = await settingsInForce(session, storage);
  return {
    clock: session.clock,
    horizonNights,
    bookingOrigins,
    replace: options.replace === true,
    dryRun: options.dryRun === true,
    strict: options.strict === true,
  };
}

type Answerable = Pick<
  Awaited<ReturnType<typeof importVisibly>>,
  'failure' | 'byHand' | 'sheet' | 'mistakes'
> & {
  readonly summary: Readonly<Record<string, number>>;
};

/** The summary is an answer also when the import failed: what was read before the failure is stored. */
function answerImport(session: Session, answer: Answerable, options: RunOptions): void {
  const { summary, failure, byHand, sheet, mistakes } = answer;
  const isDry = options.dryRun === true;
  session.answer({ ...summary, ...(isDry && byHand), ...sheetAnswer(sheet, mistakes) }, () => {
    const head = isDry ? ['Dry run: nothing was written.', ...formatSetByHand(byHand)] : [];
    return [...head, formatFields({ ...summary, ...sheetFields(sheet) })].join('\n');
  });
  if (failure !== undefined) throw new CommandFailure(inEnglish(failure));
}
