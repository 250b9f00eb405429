/** A search's result beside its bytes: how many properties it found, by market. It is what is counted of a search. */

/** The name of a market. */
export interface MarketName {
  /** Country and folded city: unique. */
  readonly key: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The city in the default locale, as one of its properties writes it. */
  readonly city: string;
}

export interface FoundMarket {
  readonly market: MarketName;
  /** Matching properties on all pages. */
  readonly count: number;
}

export interface Found {
  /** Matching properties on all pages. */
  readonly total: number;
  /** The requested city: a copy that keeps no request in memory. */
  readonly askedName: string;
  /** The requested city, folded. */
  readonly cityName: string;
  /** The markets of its name in the requested country. */
  readonly markets: readonly FoundMarket[];
  /** The name is only known in another country. */
  readonly isKnownElsewhere: boolean;
}
