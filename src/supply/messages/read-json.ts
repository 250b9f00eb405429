/** The JSON of a message body. */
import { Findings, Fields, shown } from '../native/document-fields.ts';
import type { MessageErrors } from './message-errors.ts';
import { MESSAGE_ENTRIES_MAX } from './message-limits.ts';

/** Undefined, and the mistake named, where the body is not JSON. */
export function readJson(body: Uint8Array, errors: MessageErrors): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is not valid UTF-8';
    errors.add('', 'JSON_INVALID', `The body is not valid JSON: ${why}.`);
    return undefined;
  }
}

/** The items of the one list that the body is to have. */
export function readItems(body: Uint8Array, name: string, errors: MessageErrors): readonly unknown[] {
  const json = readJson(body, errors);
  if (json === undefined) return [];
  const findings = new Findings();
  const fields = Fields.of(json.value, '', new Set([name]), findings);
  fields.isPresent(name);
  const items = fields.value(name);
  if (findings.first === undefined && !Array.isArray(items)) {
    findings.report(name, `must be a list, not ${shown(items)}`);
  }
  if (errors.addFinding(findings) || !Array.isArray(items)) return [];
  if (items.length <= MESSAGE_ENTRIES_MAX) return items;
  errors.add(
    `/${name}`,
    'TOO_MANY',
    `A message has at most ${MESSAGE_ENTRIES_MAX} entries; send several messages.`,
  );
  return [];
}
