/** Writes a JSON value as YAML 1.2 for people: blocks instead of braces, long texts readable. */

const INDENT = '  ';

export function formatYaml(value: unknown): string {
  return `${blockOf(value, '').replace(/^\n/, '')}\n`;
}

/** A block begins with a line break; anything else with the blank after its key or dash. */
function blockOf(value: unknown, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}-${itemOf(item, indent + INDENT)}`).join('');
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `\n${indent}${keyOf(key)}:${blockOf(member, indent + INDENT)}`)
      .join('');
  }
  return ` ${scalarOf(value, indent)}`;
}

/** The first line of a block follows its dash. */
function itemOf(item: unknown, indent: string): string {
  const block = blockOf(item, indent);
  return block.startsWith('\n') ? ` ${block.slice(1 + indent.length)}` : block;
}

/** An ambiguous text is written as JSON, which YAML reads too. */
function scalarOf(value: unknown, indent: string): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  if (/^[A-Za-z][A-Za-z0-9 ,.()/-]*[A-Za-z0-9.)]$/.test(value) && !AMBIGUOUS.test(value)) return value;
  if (!/^[^\s].*\n/.test(value) || /[^\n -~]|\s\n|\n\n$/.test(value)) return JSON.stringify(value);
  const chomp = value.endsWith('\n') ? '|' : '|-';
  const lines = value.replace(/\n$/, '').split('\n');
  return `${chomp}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
}

/** YAML 1.1 or 1.2 reads these as booleans or null. */
const AMBIGUOUS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function keyOf(key: string): string {
  return /^[A-Za-z$][A-Za-z0-9_-]*$/.test(key) && !AMBIGUOUS.test(key) ? key : JSON.stringify(key);
}
