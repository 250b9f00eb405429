/** What the listener hands over of each answer. */
import type { Found } from '../catalogue/read-model.ts';
import type { EpochDay } from '../domain/local-date.ts';

/** What an operation was asked and what came of it, as far as it applies. */
export interface Subject {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly propertyId?: string | undefined;
  /** Where several were asked about one stay; `propertyId` is the first of them. */
  readonly propertyIds?: readonly string[] | undefined;
  readonly stay?: { readonly checkIn: EpochDay; readonly checkOut: EpochDay } | undefined;
  readonly guests?: number | undefined;
  readonly page?: number | undefined;
  readonly found?: Found | undefined;
  readonly quoteId?: string | undefined;
}

/** An answer as the listener has it: nothing is copied for counting it. */
export interface AnsweredRequest {
  readonly correlationId: string;
  readonly operationName: string;
  readonly subject: Subject | undefined;
}

export interface Asker {
  readonly credentialId: string;
  readonly partnerId: string;
}
