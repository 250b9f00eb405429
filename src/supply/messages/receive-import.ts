/** `POST /supply/v1/import`: native documents, one a line, written in batches while they arrive. */
import { Wrong } from '../../domain/wrong.ts';
import { createHash } from 'node:crypto';
import { openCatalogueFile, STANDARD_INPUT } from '../native/catalogue-file.ts';
import { type ImportOptions, type ImportSummary, runImport } from '../run/import-run.ts';
import { MessageErrors, type Mistakes } from './message-body.ts';
import { messageOf, type SupplyDeps, type SupplyRequest } from './receive-message.ts';
import { repricedReason, formatNote, type NotedErrors, parseNote } from './supply-result.ts';
import type { SupplyOutcome } from '../../domain/ledger/message.ts';

export interface ImportDeps extends Omit<SupplyDeps, 'storage'> {
  readonly storage: SupplyDeps['storage'] & ImportOptions['storage'];
}

export interface ImportRequest extends Omit<SupplyRequest, 'body'> {
  /** Fails if the sender disconnects. */
  readonly chunks: AsyncIterable<Buffer>;
}

export type ImportResult =
  | {
      readonly kind: 'done';
      readonly outcome: SupplyOutcome;
      readonly counts: Pick<ImportSummary, 'read' | 'created' | 'rejected'>;
      readonly warnings: NotedErrors;
    }
  | { readonly kind: 'key-reused' }
  /** Lines written before remain. */
  | { readonly kind: 'ended-badly'; readonly reason: Wrong };

/** Rejected lines become warnings by line; resolves after the last commit. */
export async function receiveImport(deps: ImportDeps, request: ImportRequest): Promise<ImportResult> {
  const bodyHash = createHash('sha256');
  const chunks = hashing(request.chunks, bodyHash);
  const { source, idempotencyKey } = request;
  const known =
    idempotencyKey === null ? undefined : await deps.storage.findSupplyKey(source, idempotencyKey);
  const imported = known === undefined ? await run(deps, source, chunks) : await drain(chunks);
  const { counts, warnings, failure } = imported;
  if (failure !== undefined) return { kind: 'ended-badly', reason: failure };
  const work = {
    kind: 'record',
    verdict: counts.rejected > 0 ? 'partial' : 'applied',
    changed: counts.created + counts.changed,
    unchanged: counts.unchanged,
  } as const;
  const note = formatNote({ warnings, counts });
  const hashed = { ...request, bodyHash: bodyHash.digest('hex') };
  const message = messageOf(deps, hashed, { kind: 'import', work, note });
  const answer = await deps.storage.applySupply(message);
  if (answer.kind === 'key-reused') return { kind: 'key-reused' };
  const kept = parseNote(answer.outcome.note);
  return { kind: 'done', outcome: answer.outcome, counts: kept.counts ?? counts, warnings: kept.warnings };
}

type Counts = Pick<ImportSummary, 'read' | 'created' | 'changed' | 'unchanged' | 'rejected'>;

interface Imported {
  readonly counts: Counts;
  readonly warnings: Mistakes;
  readonly failure: Wrong | undefined;
}

async function run(
  { storage, clock, horizonNights, bookingOrigins, parser }: ImportDeps,
  source: string,
  chunks: AsyncIterable<Buffer>,
): Promise<Imported> {
  const warnings = new MessageErrors();
  const supply = await openCatalogueFile({
    file: STANDARD_INPUT,
    standardInput: chunks,
    readsTwice: false,
    readLine: (file, { number, text }) =>
      parser.readLine({ file, number, text, source, horizonNights, bookingOrigins }),
  });
  const { summary, failure, byHand } = await runImport(supply, {
    storage,
    clock,
    horizonNights,
    bookingOrigins,
    source,
    ownOnly: true,
    namesByHand: true,
    onRejection: ({ line, field, reason }) => {
      const wrong =
        field === ''
          ? new Wrong('ofLine', { line, wrong: reason })
          : new Wrong('ofLineField', { line, field, wrong: reason });
      warnings.add(`/lines/${line - 1}`, 'LINE_REJECTED', wrong);
    },
    onWarning: ({ line, field, reason, code }) =>
      warnings.add(`/lines/${line - 1}`, code, new Wrong('ofLineField', { line, field, wrong: reason })),
  });
  for (const nights of byHand.setByHand) warnings.add('', 'SET_BY_HAND', repricedReason(nights));
  return { counts: summary, warnings, failure };
}

/** For a known key, the whole body only has to be compared. */
async function drain(chunks: AsyncIterable<Buffer>): Promise<Imported> {
  for await (const chunk of chunks) void chunk;
  return {
    counts: { read: 0, created: 0, changed: 0, unchanged: 0, rejected: 0 },
    warnings: new MessageErrors(),
    failure: undefined,
  };
}

async function* hashing(
  chunks: AsyncIterable<Buffer>,
  bodyHash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    bodyHash.update(chunk);
    yield chunk;
  }
}
