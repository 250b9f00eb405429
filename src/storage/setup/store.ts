/** How far an installation is set up, without counting anything. */
export interface SetupFacts {
  /** Somebody can sign in without a link. */
  readonly hasPasskey: boolean;
  readonly hasProperties: boolean;
  /** Among the properties that are checked. */
  readonly hasPictures: boolean;
  /** Among the same: a night for sale has a rate, on this day or later. */
  readonly hasPrices: boolean;
  /** Among the same: those without any rate. */
  readonly unpricedCount: number;
  /** Among the same: one names its own booking site. */
  readonly hasBookingSites: boolean;
  /** A subscribed calendar. */
  readonly hasCalendars: boolean;
  readonly hasPartner: boolean;
  /** In use, and not only for tests. */
  readonly hasCredential: boolean;
  readonly hasQuote: boolean;
}

export interface SetupStore {
  /**
   * `today` in days since 1970-01-01, `nowMs` to detect expired rows. Each part uses an index or reads a bounded number
   * of rows.
   */
  readSetup(today: number, nowMs: number): Promise<SetupFacts>;
  /** Ignores quotes of the sandbox. */
  hasQuote(): Promise<boolean>;
}
