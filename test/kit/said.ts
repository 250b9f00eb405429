import { inEnglish, type Told } from '../../src/domain/wrong.ts';

/** Empty where nothing is refused. */
export function said(wrong: Told | undefined): string {
  return wrong === undefined ? '' : inEnglish(wrong);
}
