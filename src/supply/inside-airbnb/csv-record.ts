/**
 * Records of a CSV file (RFC 4180) as a list of fields. Our own few lines, because a calendar has a million rows and
 * a general streaming parser (csv-parse 7, measured) spends several times as long on them.
 */

/** The fields of one record, or undefined when its quotes are not closed or are where none is allowed. */
export function splitCsvRecord(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(',');
  const fields: string[] = [];
  for (let start = 0; ;) {
    if (text[start] !== '"') {
      const end = endOfField(text, start);
      const field = text.slice(start, end);
      if (field.includes('"')) return undefined;
      fields.push(field);
      if (end === text.length) return fields;
      start = end + 1;
      continue;
    }
    const close = findClosingQuote(text, start + 1);
    if (close === undefined) return undefined;
    fields.push(text.slice(start + 1, close).replaceAll('""', '"'));
    if (close + 1 === text.length) return fields;
    if (text[close + 1] !== ',') return undefined;
    start = close + 2;
  }
}

function endOfField(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma < 0 ? text.length : comma;
}

/** A doubled quote stands for one and closes nothing. */
function findClosingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}

/** Whether a record that begins with this text goes on behind it: then its quotes are not paired. */
export function hasOpenQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}

/** The position of each column; columns are found by their names, because their order and number change by year. */
export class CsvColumns {
  readonly count: number;
  readonly #indexes = new Map<string, number>();

  constructor(header: readonly string[]) {
    this.count = header.length;
    for (const [index, name] of header.entries()) {
      if (!this.#indexes.has(name.trim())) this.#indexes.set(name.trim(), index);
    }
  }

  /** Undefined when the file has no such column. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  firstMissing(required: readonly string[]): string | undefined {
    return required.find((name) => !this.#indexes.has(name));
  }

  /** The field of that column, without blanks around it; undefined when the file has no such column. */
  field(record: readonly string[], name: string): string | undefined {
    const index = this.#indexes.get(name);
    return index === undefined ? undefined : record[index]?.trim();
  }
}
