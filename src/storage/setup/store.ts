/** How far an installation is set up, without counting anything. */
export interface SetupFacts {
  readonly hasProperties: boolean;
  /** Of the properties that are looked at. */
  readonly hasPictures: boolean;
  /** The same: a night that can be sold has a rate, on this day or later. */
  readonly hasPrices: boolean;
  /** The same: one names its own booking site. */
  readonly hasBookingSites: boolean;
  /** A subscribed calendar, or a message of supply. */
  readonly hasCalendars: boolean;
  readonly hasPartner: boolean;
  /** In use, and not for tests alone. */
  readonly hasCredential: boolean;
  readonly hasQuote: boolean;
}

export interface SetupStore {
  /** `today` in days since 1970-01-01, `nowMs` for what ends. Each part is an index, or so many rows at the most. */
  readSetup(today: number, nowMs: number): Promise<SetupFacts>;
  /** Of the sandbox none counts. */
  hasQuote(): Promise<boolean>;
}
