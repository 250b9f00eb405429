/** Answers questions of each kind, and says how long that takes. */
import type { CitySuggestion, CityQuery } from '../cities/city-suggestions.ts';
import type { PricedPage } from '../prices/priced-moment.ts';
import { type CostSources, COSTS_US } from './question-costs.ts';
import type { About, AnswerTo, QuestionKind } from './questions.ts';
import type { Found } from '../../../domain/found-markets.ts';
import type { StayPrices } from '../prices/stay-prices.ts';

type Answers = { readonly [Kind in QuestionKind]: (about: About<Kind>) => AnswerTo<Kind> };

/** Answers from one version each. */
export class Questions {
  readonly #answers: Answers;
  readonly #costSources: CostSources;

  constructor(
    prices: StayPrices,
    suggestCities: (query: CityQuery) => readonly CitySuggestion[],
    costSources: CostSources,
  ) {
    this.#answers = {
      search: (query) => withPlainFound(prices.search(query)),
      flexible: (query) => withPlainFound(prices.flexible(query)),
      days: (question) => prices.days(question),
      properties: (question) => prices.ofProperties(question),
      calendar: (question) => prices.calendar(question),
      cities: suggestCities,
    };
    this.#costSources = costSources;
  }

  answer<Kind extends QuestionKind>(kind: Kind, about: About<Kind>): AnswerTo<Kind> {
    return this.#answers[kind](about);
  }

  /** About how long the answer takes, in microseconds; infinite where it should not be given here. */
  costUs<Kind extends QuestionKind>(kind: Kind, about: About<Kind>): number {
    return COSTS_US[kind](about, this.#costSources);
  }
}

/** Without views of the memory that was read. */
function withPlainFound({ body, found }: PricedPage): PricedPage {
  const { total, askedName, cityName, isKnownElsewhere } = found;
  const markets: Found['markets'] = found.markets.map(({ market: { key, country, city }, count }) => {
    return { market: { key, country, city }, count };
  });
  return { body, found: { total, askedName, cityName, isKnownElsewhere, markets } };
}
