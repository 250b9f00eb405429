/** The fields of a property document that only the traveller's page shows: pictures, and the terms of a stay. */
import { parseMoney } from '../../domain/money.ts';
import {
  type ArrivalTimes,
  type CancellationStep,
  findPicturePathProblem,
  IMAGES_MAX,
  PAYMENT_MOMENTS,
  type PaymentStep,
  type PropertyDetails,
  type PropertyImage,
} from '../../domain/property-details.ts';
import { Fields, shown } from './document-fields.ts';
import {
  CANCELLATION_STEPS_MAX,
  DAYS_BEFORE_MAX,
  HOUSE_RULES_LENGTH_MAX,
  IMAGE_ALT_LENGTH_MAX,
  IMAGE_PIXELS_MAX,
  IMAGE_SRC_LENGTH_MAX,
  PAYMENT_STEPS_MAX,
  REGISTRATION_NUMBER_LENGTH_MAX,
  SELLER_LENGTH_MAX,
} from './document-limits.ts';
import { readLocalizedText, readOptionalLocalizedText } from './localized-document.ts';

export const DETAIL_FIELDS = [
  'images',
  'checkIn',
  'checkOut',
  'cancellation',
  'payment',
  'houseRules',
  'registrationNumber',
  'seller',
] as const satisfies readonly (keyof PropertyDetails)[];

const IMAGE_FIELDS: ReadonlySet<string> = new Set(['src', 'alt', 'width', 'height']);
const CHECK_IN_FIELDS: ReadonlySet<string> = new Set(['from', 'until']);
const CHECK_OUT_FIELDS: ReadonlySet<string> = new Set(['until']);
const CANCELLATION_FIELDS: ReadonlySet<string> = new Set(['daysBefore', 'refundPercent']);
const PAYMENT_FIELDS: ReadonlySet<string> = new Set(['due', 'daysBefore', 'percent']);

/** Hundredths of a percent. */
const WHOLE = 10_000n;

export function readDetails(property: Fields): PropertyDetails {
  return {
    images: property.isNull('images') ? [] : readImages(property),
    checkIn: property.isNull('checkIn') ? null : readCheckIn(property),
    checkOut: property.isNull('checkOut') ? null : readCheckOut(property),
    cancellation: property.isNull('cancellation') ? null : readCancellation(property),
    payment: property.isNull('payment') ? null : readPayment(property),
    houseRules: readOptionalLocalizedText(property, 'houseRules', HOUSE_RULES_LENGTH_MAX),
    registrationNumber: property.isNull('registrationNumber')
      ? null
      : property.text('registrationNumber', REGISTRATION_NUMBER_LENGTH_MAX),
    seller: property.isNull('seller') ? null : property.text('seller', SELLER_LENGTH_MAX),
  };
}

function readImages(property: Fields): PropertyImage[] {
  return property.list('images', IMAGES_MAX).map(({ value, path }) => {
    const image = Fields.of(value, path, IMAGE_FIELDS, property.findings);
    return {
      src: readImageSource(image),
      alt: readLocalizedText(image, 'alt', IMAGE_ALT_LENGTH_MAX),
      width: readPixels(image, 'width'),
      height: readPixels(image, 'height'),
    };
  });
}

/** Without its size a picture would move the page when it arrives. */
function readPixels(image: Fields, name: 'width' | 'height'): number {
  return image.isPresent(name) ? image.integer(name, 1, IMAGE_PIXELS_MAX) : 1;
}

function readImageSource(image: Fields): string {
  const src = image.text('src', IMAGE_SRC_LENGTH_MAX);
  if (src === '') return src;
  const problem = /^[a-z][a-z0-9+.-]*:/i.test(src) ? findUrlProblem(src) : findPicturePathProblem(src);
  if (problem !== undefined) image.report('src', `${problem}, not ${shown(src)}`);
  return src;
}

function findUrlProblem(src: string): string | undefined {
  const url =
    /^https:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/u.test(src) && URL.canParse(src) ? new URL(src) : undefined;
  const isPublic = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  return isPublic ? undefined : 'must be an https:// URL without a user name or a fragment';
}

function readCheckIn(property: Fields): ArrivalTimes {
  const checkIn = Fields.of(property.value('checkIn'), 'checkIn', CHECK_IN_FIELDS, property.findings);
  return {
    from: readTime(checkIn, 'from'),
    until: checkIn.isNull('until') ? null : readTime(checkIn, 'until'),
  };
}

function readCheckOut(property: Fields): { readonly until: string } {
  const checkOut = Fields.of(property.value('checkOut'), 'checkOut', CHECK_OUT_FIELDS, property.findings);
  return { until: readTime(checkOut, 'until') };
}

function readTime(fields: Fields, name: string): string {
  if (!fields.isPresent(name)) return '';
  const value = fields.value(name);
  if (typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)) return value;
  fields.report(name, `must be a time from "00:00" to "23:59", not ${shown(value)}`);
  return '';
}

function readCancellation(property: Fields): CancellationStep[] {
  const { findings } = property;
  let before: { readonly daysBefore: number; readonly refund: bigint } | undefined;
  return property.list('cancellation', CANCELLATION_STEPS_MAX).map(({ value, path }) => {
    const fields = Fields.of(value, path, CANCELLATION_FIELDS, findings);
    const daysBefore = readDaysBefore(fields);
    const refund = readPercent(fields, 'refundPercent', 0n);
    if (before !== undefined && daysBefore >= before.daysBefore)
      fields.report('daysBefore', mustFall(before.daysBefore));
    if (before !== undefined && refund.hundredths > before.refund)
      fields.report(
        'refundPercent',
        'must not be above that of the step before: refunds fall towards check-in',
      );
    before = { daysBefore, refund: refund.hundredths };
    return { daysBefore, refundPercent: refund.text };
  });
}

function readPayment(property: Fields): PaymentStep[] {
  const { findings } = property;
  let sum = 0n;
  let before: PaymentStep | undefined;
  const steps = property.list('payment', PAYMENT_STEPS_MAX).map(({ value, path }) => {
    const fields = Fields.of(value, path, PAYMENT_FIELDS, findings);
    const due = fields.choice('due', PAYMENT_MOMENTS);
    const percent = readPercent(fields, 'percent', 1n);
    sum += percent.hundredths;
    const step: PaymentStep = { due, daysBefore: readDueDays(fields, due), percent: percent.text };
    checkPaymentOrder(fields, step, before);
    before = step;
    return step;
  });
  if (steps.length === 0)
    property.report('payment', 'must have at least one step; leave it out to say nothing');
  else if (sum !== WHOLE)
    property.report('payment', `must have percentages that are 100 together, not ${formatPercent(sum)}`);
  return steps;
}

function readDueDays(fields: Fields, due: PaymentStep['due']): number | null {
  if (due === 'daysBefore') return readDaysBefore(fields);
  if (!fields.isNull('daysBefore'))
    fields.report('daysBefore', `does not belong to "due":"${due}"; remove it`);
  return null;
}

/** In the order in which they are due, so that no two are due together. */
function checkPaymentOrder(fields: Fields, step: PaymentStep, before: PaymentStep | undefined): void {
  if (before === undefined) return;
  const place = PAYMENT_MOMENTS.indexOf(step.due);
  const placeBefore = PAYMENT_MOMENTS.indexOf(before.due);
  if (place < placeBefore || (place === placeBefore && step.due !== 'daysBefore'))
    fields.report(
      'due',
      `must come behind that of the step before, in the order ${PAYMENT_MOMENTS.join(', ')}`,
    );
  if (step.daysBefore !== null && before.daysBefore !== null && step.daysBefore >= before.daysBefore)
    fields.report('daysBefore', mustFall(before.daysBefore));
}

function mustFall(before: number): string {
  return `must be below that of the step before (${before}): steps fall towards check-in`;
}

function readDaysBefore(fields: Fields): number {
  return fields.isPresent('daysBefore') ? fields.integer('daysBefore', 0, DAYS_BEFORE_MAX) : 0;
}

interface Percent {
  readonly text: string;
  readonly hundredths: bigint;
}

/** From `least` hundredths to 100, with at most two decimals. */
function readPercent(fields: Fields, name: string, least: bigint): Percent {
  if (!fields.isPresent(name)) return { text: '0', hundredths: 0n };
  const value = fields.value(name);
  const hundredths = typeof value === 'string' ? parseMoney(value) : undefined;
  if (hundredths !== undefined && hundredths >= least && hundredths <= WHOLE)
    return { text: value as string, hundredths };
  const from = least === 0n ? 'from 0 to 100' : 'above 0, up to 100,';
  fields.report(
    name,
    `must be a decimal ${from} in a string such as "50", with at most two digits behind the point, not ${shown(value)}`,
  );
  return { text: '0', hundredths: 0n };
}

function formatPercent(hundredths: bigint): string {
  return String(Number(hundredths) / 100);
}
