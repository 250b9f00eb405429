/** All concerns whose statements are programs. Each engine has files of its own for the rest. */
import { accessConcern } from '../access/sql.ts';
import { attributionConcern } from '../attribution/sql.ts';
import { auditConcern } from '../audit/sql.ts';
import { changeConcern } from '../catalogue/change-reads.ts';
import { contentConcern } from '../catalogue/content.ts';
import { listingConcern } from '../catalogue/listings.ts';
import { conversionConcern } from '../conversions/sql.ts';
import { connectionConcern } from '../connections/sql.ts';
import { feedConcern } from '../feeds/sql.ts';
import { passkeyConcern } from '../passkeys/sql.ts';
import { storesOf } from '../portable-sql/concern.ts';
import { type Author, type SignableRunner, writesByName } from '../portable-sql/program.ts';
import { processConcern } from '../processes/sql.ts';
import { publishedConcern } from '../published/sql.ts';
import { quoteConcern } from '../quotes/sql.ts';
import { sessionConcern } from '../sessions/sql.ts';
import { setupConcern } from '../setup/sql.ts';
import { siteConcern } from '../site/sql.ts';
import { mappingConcern } from '../supply/mappings.ts';
import { supplyConcern } from '../supply/sql.ts';
import { taskConcern } from '../tasks/sql.ts';
import { webhookActConcern } from '../webhooks/acts.ts';
import { webhookSendingConcern } from '../webhooks/sending.ts';

/** Concerns that people change: their writes can be signed, and each then adds an entry to the audit trail. */
const ADMINISTERED = [
  accessConcern,
  auditConcern,
  passkeyConcern,
  sessionConcern,
  siteConcern,
  webhookActConcern,
] as const;

/** Those of SQLite's activity are not among them: they have a file of their own. */
const OTHERS = [
  attributionConcern,
  changeConcern,
  connectionConcern,
  contentConcern,
  conversionConcern,
  feedConcern,
  listingConcern,
  mappingConcern,
  processConcern,
  publishedConcern,
  quoteConcern,
  setupConcern,
  supplyConcern,
  taskConcern,
  webhookSendingConcern,
] as const;

/** Their part of the storage port. */
export function concernStores(runner: SignableRunner) {
  return {
    ...storesOf(ADMINISTERED, runner),
    asAuthor: (author: Author) => storesOf(ADMINISTERED, runner.asAuthor(author)),
    ...storesOf(OTHERS, runner),
  };
}

/** Their writes: the main thread sends a name, and the writer thread finds the program here. */
export const findWrite = writesByName([...ADMINISTERED, ...OTHERS].flatMap(({ writes }) => writes));
