/** The string and number formats of the contract, checked strictly. */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { parseLocalDate } from '../../src/domain/local-date.ts';

const INSTANT_IN_UTC = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const VISIBLE_ASCII = /^[!-~]+$/;

export function addContractFormats(ajv: Ajv2020): void {
  ajv.addFormat('date', (text: string) => parseLocalDate(text) !== undefined);
  ajv.addFormat('date-time', (text: string) => {
    const date = INSTANT_IN_UTC.exec(text)?.[1];
    return date !== undefined && parseLocalDate(date) !== undefined;
  });
  ajv.addFormat('uri', (text: string) => VISIBLE_ASCII.test(text) && URL.canParse(text));
  const isInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  ajv.addFormat('int32', { type: 'number', validate: isInt32 });
  ajv.addFormat('int64', { type: 'number', validate: (value: number) => Number.isSafeInteger(value) });
}
