/** The settings of this service that its documentation shows. */
export interface PageSettings {
  readonly publicUrl: string;
  readonly problemsBaseUrl: string;
  /** Requests per source address and 60 s; 0 when there is no such limit. */
  readonly ingressLimit: number;
  readonly partnerQuota: number;
  /** Of one credential; 0 when there is no such limit. */
  readonly quotesPerDay: number;
  /** At a time, from one source address; 0 when there is no such limit. */
  readonly maxConnectionsPerAddress: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  readonly bodyLimitBytes: number;
  /** Whom partners ask for help: a `mailto:`, `tel:` or `https:` URL. */
  readonly supportContact: string | undefined;
}
