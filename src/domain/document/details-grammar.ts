/** Fields of a property document for the traveller's page: pictures, and the terms of a stay. */
import { BOOKING_TEMPLATE_LENGTH_MAX, findSiteProblem } from '../booking-template.ts';
import { parseMoney } from '../money.ts';
import {
  type CancellationStep,
  findPicturePathProblem,
  IMAGES_MAX,
  PAYMENT_MOMENTS,
  type PaymentStep,
  type PropertyDetails,
} from '../property-details.ts';
import { Wrong } from '../wrong.ts';
import { notGiven, shown } from './document-fields.ts';
import * as limits from './document-limits.ts';
import * as g from './grammar.ts';
import { partOfHundred, WHOLE_PERCENT } from './grammar-values.ts';

/** Without its size a picture would move the page when it arrives. */
const pixels = g.whole(1, limits.IMAGE_PIXELS_MAX);

const source = g.ruled(g.text(limits.IMAGE_SRC_LENGTH_MAX), (src) => {
  const problem = /^[a-z][a-z0-9+.-]*:/i.test(src) ? findUrlProblem(src) : findPicturePathProblem(src);
  return problem === undefined ? undefined : notGiven(problem, src);
});

function findUrlProblem(src: string): Wrong | undefined {
  const url =
    /^https:\/\/[^/\s\p{Cc}\\][^\s\p{Cc}\\]*$/u.test(src) && URL.canParse(src) ? new URL(src) : undefined;
  const isPublic = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  return isPublic ? undefined : new Wrong('notPictureUrl');
}

const image = g.object({
  src: g.required(
    source,
    'An https URL whose origin is in WEB_IMAGE_ORIGINS, or a path below the folder WEB_IMAGES.',
  ),
  alt: g.required(g.localized(limits.IMAGE_ALT_LENGTH_MAX), 'What the picture shows.'),
  width: g.required(pixels, 'Pixels.'),
  height: g.required(pixels, 'Pixels.'),
});

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const time = g.word(
  'time',
  { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
  (given) => TIME.test(given),
  new Wrong('notTime', { first: '00:00', last: '23:59' }),
);

const checkIn = g.object({
  from: g.required(time, 'Local time.'),
  until: g.nullable(time, null, 'Local time.'),
});
const checkOut = g.object({ until: g.required(time, 'Local time.') });

const daysBefore = g.whole(0, limits.DAYS_BEFORE_MAX);

function percent(least: bigint): g.Grammar<string> {
  return partOfHundred(
    least,
    new Wrong(least === 0n ? 'notPercent' : 'notPercentAboveZero', { example: '50' }),
  );
}

function mustFall(before: number): Wrong {
  return new Wrong('stepNotBelow', { before });
}

const cancellation = g.list<CancellationStep>(
  g.object({
    daysBefore: g.required(daysBefore, 'Days before check-in.'),
    refundPercent: g.required(percent(0n), 'What is refunded, 0 to 100, in a string.'),
  }),
  {
    most: limits.CANCELLATION_STEPS_MAX,
    each() {
      let before: CancellationStep | undefined;
      return (step) => {
        const wrong = before === undefined ? undefined : findRise(step, before);
        before = step;
        return wrong;
      };
    },
  },
);

function findRise(step: CancellationStep, before: CancellationStep): g.Mistake | undefined {
  if (step.daysBefore >= before.daysBefore) return { at: '.daysBefore', reason: mustFall(before.daysBefore) };
  if (hundredthsOf(step.refundPercent) > hundredthsOf(before.refundPercent))
    return {
      at: '.refundPercent',
      reason: new Wrong('refundRises'),
    };
  return undefined;
}

function hundredthsOf(text: string): bigint {
  return parseMoney(text) ?? 0n;
}

const dueDays: g.Grammar<number | null> = {
  ...daysBefore,
  read(given, name, reader, owner) {
    const { due } = owner;
    if (due !== 'daysBefore')
      return given === undefined || given === null
        ? null
        : reader.wrong(name, new Wrong('notOfDue', { due: String(due) }));
    if (given === undefined) return reader.wrong(name, new Wrong('required'), 'FIELD_REQUIRED');
    return daysBefore.read(given, name, reader, owner);
  },
};

const paymentStep: g.Grammar<PaymentStep> = g.object(
  {
    due: g.required(g.choice(PAYMENT_MOMENTS)),
    daysBefore: g.dependent(dueDays, 'Days before check-in.'),
    percent: g.required(percent(1n), 'Of the total, above 0; all steps are 100 together.'),
  },
  { first: ['due', 'percent'] },
);

/** Steps in the order in which they are due, no two due together. */
const payment = g.ruled(
  g.list(paymentStep, {
    most: limits.PAYMENT_STEPS_MAX,
    each() {
      let before: PaymentStep | undefined;
      return (step) => {
        const wrong = before === undefined ? undefined : findDisorder(step, before);
        before = step;
        return wrong;
      };
    },
  }),
  (steps) => {
    const sum = steps.reduce((total, step) => total + hundredthsOf(step.percent), 0n);
    if (steps.length === 0) return new Wrong('noSteps');
    if (sum === WHOLE_PERCENT) return undefined;
    return new Wrong('stepsNotWhole', { sum: Number(sum) / 100 });
  },
);

function findDisorder(step: PaymentStep, before: PaymentStep): g.Mistake | undefined {
  const place = PAYMENT_MOMENTS.indexOf(step.due);
  const placeBefore = PAYMENT_MOMENTS.indexOf(before.due);
  if (place < placeBefore || (place === placeBefore && step.due !== 'daysBefore'))
    return {
      at: '.due',
      reason: new Wrong('stepDisordered', { order: PAYMENT_MOMENTS.join(', ') }),
    };
  if (step.daysBefore !== null && before.daysBefore !== null && step.daysBefore >= before.daysBefore)
    return { at: '.daysBefore', reason: mustFall(before.daysBefore) };
  return undefined;
}

const bookingUrl = g.ruled(g.text(BOOKING_TEMPLATE_LENGTH_MAX), (template) => {
  const problem = findSiteProblem(template);
  return problem === undefined
    ? undefined
    : new Wrong('givenBehind', { wrong: problem, given: shown(template) });
});

/** All optional. Null equals absent, and a document without a field clears it. */
export const DETAIL_FIELDS = {
  images: g.nullable(g.list(image, { most: IMAGES_MAX }), [], 'In order; the first is the cover.'),
  checkIn: g.nullable(checkIn, null, 'When guests can arrive.'),
  checkOut: g.nullable(checkOut, null, 'When guests have to leave.'),
  cancellation: g.nullable(
    cancellation,
    null,
    'Steps with falling daysBefore. After the last, nothing is refunded. An empty list is non-refundable.',
  ),
  payment: g.nullable(payment, null, 'In the order in which they are due.', { minItems: 1 }),
  houseRules: g.nullable(
    g.localized(limits.HOUSE_RULES_LENGTH_MAX, { mayBeBlank: true }),
    null,
    'One text, or one by locale (it-IT, en-GB).',
  ),
  registrationNumber: g.nullable(
    g.text(limits.REGISTRATION_NUMBER_LENGTH_MAX),
    null,
    'Of the property, as its country gives it.',
  ),
  seller: g.nullable(g.text(limits.SELLER_LENGTH_MAX), null, 'Who sells the stay; WEB_NAME unless given.'),
  bookingUrl: g.nullable(
    bookingUrl,
    undefined,
    'Where its button leads, with the placeholders of BOOKING_URL_TEMPLATE; its origin is in BOOKING_ORIGINS.',
  ),
};

/** The form that both engines store, beside the property. */
export const DETAILS: g.Grammar<PropertyDetails> = g.object(DETAIL_FIELDS);
