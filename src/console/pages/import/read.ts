/** Files that are imported: what waits, what a file would change, and the form that applies it. */
import { findReservedReason } from '../../../domain/layers.ts';
import { Wrong } from '../../../domain/wrong.ts';
import { listSources } from '../../../supply/sources/list-sources.ts';
import { encodingName } from '../../../operator/acts/values.ts';
import {
  type Acted,
  type ActPorts,
  type ActQuestion,
  type PagePorts,
  type PageQuestion,
  refused,
} from '../../reading/console-page.ts';
import type { ImportKind, ReadChoice } from '../../reading/import-state.ts';

export const IMPORT_PATH = '/console/import';

export function importPath(importId: string): string {
  return `${IMPORT_PATH}/files/${importId}`;
}

export async function readImports({ imports, storage }: PagePorts) {
  const sources = await listSources(storage);
  return {
    rows: await imports.list(),
    // People and feeds bring nights, and no documents.
    sources: sources
      .filter(({ source, properties }) => properties > 0 && findReservedReason(source) === undefined)
      .map(({ source }) => source),
  };
}

export async function readImport({ imports }: PagePorts, { segments }: PageQuestion) {
  const state = await imports.find(segments['importId'] ?? '');
  return state && { rows: state };
}

/** Begins to write the file that was shown, or to look at it again; its page tells how far it is. */
export function applyFile(kind: ImportKind) {
  return async ({ imports, signed }: ActPorts, { segments, form }: ActQuestion): Acted => {
    const shown = { kind, importId: segments['importId'] ?? '', hash: form.get('hash') ?? '' };
    const choice = readChoice(form);
    if (choice instanceof Wrong) return refused(choice);
    const begun =
      choice === undefined ? await imports.apply(shown, signed) : await imports.lookAgain(shown, choice);
    if (begun === undefined) return undefined;
    return begun.ok ? { kind: 'done' } : refused(begun.problem);
  };
}

function readChoice(form: URLSearchParams): ReadChoice | Wrong | undefined {
  if (form.get('ignoreColumns') === 'yes') return { ignoreColumns: true };
  const label = form.get('encoding');
  if (label === null) return undefined;
  const encodingNamed = encodingName.parse(label);
  return encodingNamed instanceof Wrong ? encodingNamed : { encodingNamed };
}
