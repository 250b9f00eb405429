import type { Command } from 'commander';
import { parseTypedAges } from '../../../domain/child-ages.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import { CHILD_AGE_MAX } from '../../../domain/property.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import { explainQuote } from '../../../partner/quotes/explain-quote.ts';
import { findShownQuote } from '../../../partner/quotes/shown-quote.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { localDate, wholeNumber } from '../terminal/option-values.ts';
import { formatExplanation, formatQuote } from './readable-quote.ts';
import type { Session } from '../terminal/session.ts';

interface ExplainOptions extends Omit<StayRequest, 'childAges'> {
  readonly property: string;
  readonly childAges?: string;
}

export function addQuoteCommands(quote: Command, session: Session): void {
  quote
    .command('show')
    .argument('<quote-id>', 'quote id')
    .description('print a stored quote with its nights and taxes')
    .addHelpText('after', example('quote show qt_8cXvJ1nN2mQ4rS6tU8wY0aBd'))
    .action(async (quoteId: string) => {
      const shown = await session.withStorage(async (storage) => findShownQuote(storage, quoteId));
      if (shown === undefined) throw new CommandFailure(`there is no quote ${JSON.stringify(quoteId)}`);
      session.answer(shown, () => formatQuote(shown));
    });

  const explain = quote
    .command('explain')
    .description('show which inventory types are eligible for a stay, and why others are not')
    .requiredOption('--property <id>', 'property id')
    .requiredOption('--check-in <date>', 'first night', localDate)
    .requiredOption('--check-out <date>', 'day of departure', localDate)
    .requiredOption('--guests <n>', 'number of guests', wholeNumber(1, STAY_GUESTS_MAX))
    .option('--child-ages <ages>', 'ages of the children among the guests, such as 4,9')
    .addHelpText(
      'after',
      example('quote explain --property hotel-ponte --check-in 2027-12-20 --check-out 2027-12-23 --guests 2'),
    )
    .action(async ({ property: propertyId, childAges: typed, ...dates }: ExplainOptions) => {
      const childAges = typed === undefined ? undefined : parseTypedAges(typed, dates.guests);
      if (typed !== undefined && childAges === undefined) {
        explain.error(
          `--child-ages takes whole years from 0 to ${CHILD_AGE_MAX} with commas between, fewer than --guests`,
        );
      }
      const stay = { ...dates, ...(childAges && { childAges }) };
      if (stay.checkOut <= stay.checkIn) explain.error('--check-out must be after --check-in');
      if (stay.checkOut - stay.checkIn > STAY_NIGHTS_MAX) {
        explain.error(`a stay has at most ${STAY_NIGHTS_MAX} nights`);
      }
      const { horizonNights } = session.settings();
      const explanation = await session.withStorage(async (storage) =>
        explainQuote({ storage, horizonNights, clock: session.clock }, { propertyId, ...stay }),
      );
      if (explanation === undefined)
        throw new CommandFailure(`there is no property ${JSON.stringify(propertyId)}`);
      session.answer(explanation, () => formatExplanation(explanation));
    });
}
