/** Facts about each answer, from the listener. */
import type { Found } from '../../domain/found-markets.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { ReasonCode } from '../../domain/stay-reasons.ts';

/** The request of an operation and its result, where they apply. */
export interface Subject {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly propertyId?: string | undefined;
  /** Several ids with one stay; `propertyId` is the first of them. */
  readonly propertyIds?: readonly string[] | undefined;
  readonly stay?: { readonly checkIn: EpochDay; readonly checkOut: EpochDay } | undefined;
  readonly guests?: number | undefined;
  /** Ages of children among them, ascending. */
  readonly childAges?: readonly number[] | undefined;
  readonly page?: number | undefined;
  readonly found?: Found | undefined;
  readonly quoteId?: string | undefined;
  /** Codes of the reasons that the answer gave, each once; see `reasonCodesOf`. */
  readonly reasons?: readonly ReasonCode[] | undefined;
}

/** An answer in the listener's own objects: counting copies nothing. */
export interface AnsweredRequest {
  readonly correlationId: string;
  readonly operationName: string;
  readonly subject: Subject | undefined;
}

export interface Asker {
  readonly credentialId: string;
  readonly partnerId: string;
}

/** Told of each answer to an accepted credential. */
export interface AnswerListener {
  answered(request: AnsweredRequest, asker: Asker, status: number, code: string, durationMs: number): void;
}
