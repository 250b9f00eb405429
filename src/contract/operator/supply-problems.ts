/** The problems of supply. */
import type { ProblemKind } from '../partner/problems.ts';

export const SUPPLY_PROBLEMS = {
  SUPPLY_VALIDATION_ERROR: {
    status: 400,
    slug: 'supply-validation-error',
    title: 'The message is not valid',
    detail: 'Nothing was applied; errors names what is wrong by its place.',
    remedy: 'Correct every entry that errors names, then send the message again.',
    hasErrors: true,
  },
  SUPPLY_MAPPING_UNKNOWN: {
    status: 422,
    slug: 'supply-mapping-unknown',
    title: 'No name of the message leads anywhere',
    detail: 'Nothing was applied: none of the room types and rate plans is mapped.',
    remedy: 'Run "stayport mapping set" for the names that errors lists, and check the source.',
    hasErrors: true,
  },
  SUPPLY_SOURCE_MISMATCH: {
    status: 403,
    slug: 'supply-source-mismatch',
    title: 'Another source decides here',
    detail: 'Nothing was applied: the token, the document or the price belongs to another source.',
    remedy: "Send with the right token and source, or change the document's owner or the type's priceSource.",
    hasErrors: true,
  },
  SUPPLY_PROPERTY_NOT_FOUND: {
    status: 404,
    slug: 'supply-property-not-found',
    title: 'There is no such property',
    detail: 'No property has this id, or it was withdrawn.',
    remedy: 'Check the id; send the document first.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    slug: 'idempotency-key-reused',
    title: 'The key was used for another message',
    detail: 'Within 24 hours the same source sent another message with this Idempotency-Key.',
    remedy: 'Use a new key for each new message, and the same one only to repeat it.',
  },
  SUPPLY_PAYLOAD_TOO_LARGE: {
    status: 413,
    slug: 'supply-payload-too-large',
    title: 'The message is too large',
    detail: 'The body is larger than SUPPLY_BODY_LIMIT_BYTES.',
    remedy: 'Send several smaller messages.',
  },
} as const satisfies Record<string, ProblemKind>;
