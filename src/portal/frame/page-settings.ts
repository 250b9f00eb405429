/** Settings shown in the documentation. */
export interface PageSettings {
  readonly publicUrl: string;
  readonly problemsBaseUrl: string;
  /** Its host also serves pictures. */
  readonly handoffBaseUrl: string;
  /** Requests per source address and 60 s; 0 without a limit. */
  readonly ingressLimit: number;
  readonly partnerQuota: number;
  /** Quotes of one credential; 0 without a limit. */
  readonly quotesPerDay: number;
  /** Concurrent connections of one source address; 0 without a limit. */
  readonly maxConnectionsPerAddress: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  readonly bodyLimitBytes: number;
  /** Contact for partners: a `mailto:`, `tel:` or `https:` URL. */
  readonly supportContact: string | undefined;
}
