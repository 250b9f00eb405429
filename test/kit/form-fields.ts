/** The fields that a browser would send of a form. */
import assert from 'node:assert/strict';
import { unescapeHtml } from '../../src/http/html/html.ts';

/** The fields of the form with this `data-act`, as they are filled in; buttons are left out. */
export function fieldsOfForm(page: string, act: string): Map<string, string> {
  const form = new RegExp(`<form[^>]*data-act="${act}"[^>]*>([\\s\\S]*?)</form>`).exec(page)?.[1];
  assert.ok(form !== undefined, `no form ${act}: ${page.slice(0, 2_000)}`);
  const fields = new Map<string, string>();
  for (const [tag, ofInput, ofOther, inner = ''] of form.matchAll(
    /<input\b[^>]*?\bname="([^"]*)"[^>]*>|<(?:select|textarea)\b[^>]*?\bname="([^"]*)"[^>]*>([\s\S]*?)<\/(?:select|textarea)>/g,
  )) {
    const name = ofInput ?? ofOther ?? '';
    if (/^<input[^>]*type="checkbox"(?![^>]*checked)/.test(tag)) continue;
    if (tag.startsWith('<input')) fields.set(unescapeHtml(name), attributeOf(tag, 'value'));
    else if (tag.startsWith('<select')) {
      const chosen = /<option value="([^"]*)"\s+selected/.exec(inner)?.[1];
      const first = /<option value="([^"]*)"/.exec(inner)?.[1];
      fields.set(unescapeHtml(name), unescapeHtml(chosen ?? first ?? ''));
    } else fields.set(unescapeHtml(name), unescapeHtml(inner.replace(/^\n/, '')));
  }
  return fields;
}

function attributeOf(tag: string, name: string): string {
  return unescapeHtml(new RegExp(`\\s${name}="([^"]*)"`).exec(tag.replace(/>[\s\S]*$/, '>'))?.[1] ?? '');
}
