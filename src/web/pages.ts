/** The pages of the partner listener: bytes made once at start. */

export interface Page {
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
}

export interface PageSettings {
  readonly publicUrl: string;
  readonly problemsBaseUrl: string;
  readonly ingressLimit: number;
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  readonly bodyLimitBytes: number;
}

export function buildPages(_settings: PageSettings): readonly Page[] {
  return [];
}
