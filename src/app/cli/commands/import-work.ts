/**
 * Running an import for a person: rejections and progress on standard error.
 */
import { runImport, type ImportOptions, type ImportResult } from '../../../supply/run/import-run.ts';
import type { Rejection, Supply } from '../../../supply/run/supply-item.ts';
import { openProgress } from '../terminal/progress.ts';

type VisibleImportOptions = Omit<ImportOptions, 'onRejection' | 'onWarning' | 'onNotice' | 'onProgress'>;

/** `label` is printed before the progress: what is imported. */
export async function importVisibly(
  supply: Supply,
  label: string,
  options: VisibleImportOptions,
): Promise<ImportResult> {
  const display = openProgress(label);
  try {
    return await runImport(supply, {
      ...options,
      onRejection: (rejection) => display.note(describeRejection(rejection)),
      onWarning: (warning) => display.note(describeWarning(warning)),
      onNotice: (text) => display.note(text),
      onProgress: (progress) => display.update(progress),
    });
  } finally {
    display.stop();
  }
}

/** `catalogue.ndjson:12: warning: inventoryTypes[0].calendar[0].rate: is 0.00: the night sells for nothing` */
export function describeWarning({ file, line, field, reason }: Rejection): string {
  return `${file}:${line}: warning: ${field === '' ? '' : `${field}: `}${reason}`;
}

/** `catalogue.ndjson:12: bathrooms: must be a multiple of 0.5, not 1.3` */
export function describeRejection({ file, line, field, reason }: Rejection): string {
  return `${file}:${line}: ${field === '' ? '' : `${field}: `}${reason}`;
}
