/** The JSON of a message body. */
import { Findings, Fields, shown } from '../native/document-fields.ts';
import { readJsonText } from '../native/json-text.ts';
import { asSentence, type MessageErrors, toPointer } from './message-errors.ts';
import { MESSAGE_ENTRIES_MAX } from './message-limits.ts';

/** Undefined, and the mistake named, where the body is not JSON, nested too deeply, or says a key twice. */
export function readJson(body: Uint8Array, errors: MessageErrors): { readonly value: unknown } | undefined {
  const text = decode(body);
  if (text === undefined) {
    errors.add('', 'JSON_INVALID', 'The body is not valid UTF-8.');
    return undefined;
  }
  const json = readJsonText(text);
  if (json.ok) return json;
  const { code, field, reason } = json;
  errors.add(toPointer(field), code, code === 'FIELD_REPEATED' ? asSentence(reason) : `The body ${reason}.`);
  return undefined;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
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
