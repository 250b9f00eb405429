/** The versions of the partner contract (SPEC 9), newest first: their only source. */
import { ID_LENGTH_MAX } from '../../domain/property.ts';

export interface ContractVersion {
  readonly version: string;
  readonly status: 'beta' | 'stable';
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly changes: readonly string[];
  /** Promises of this version to a partner's program. `Backticks` mark code. */
  readonly promises: readonly string[];
}

const NEWEST = {
  version: '1.0.0-beta.1',
  status: 'beta',
  date: '2026-07-13',
  changes: [
    'The first version: search, one property, availability and indicative quotes, the same for every provider.',
    'Each failure is a problem document (RFC 9457), validation errors with every field at fault.',
    'Quotes come with a `handoffUrl` that the server makes; the partner is sealed in it.',
  ],
  promises: [
    'Paths begin with `/v1`. A version of the API that is not compatible would have paths of its own.',
    'Closed objects never get another field: the summary of a property and its `location`, a stay, a quote and its ' +
      '`pricing`, and every problem.',
    'The other objects of answers may get fields. Ignore those that you do not know.',
    'A `code` keeps its meaning. Codes may be added: treat one that you do not know by its status.',
    '`title` and `detail` are for people; their wording may change at any time.',
    `Identifiers stay opaque, up to ${ID_LENGTH_MAX} characters.`,
    'It is a beta: a later beta may change more than this list allows. This page then says what, and from which ' +
      'version on.',
  ],
} as const satisfies ContractVersion;

export const CONTRACT_VERSIONS: readonly ContractVersion[] = [NEWEST];

/** The version of this service. */
export const CONTRACT_VERSION = NEWEST.version;
