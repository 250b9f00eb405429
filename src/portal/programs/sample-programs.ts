/** A sample call as a program in each language. Each prints its result: curl the body, the others also the status. */
import type { SampleBody, SampleCall } from '../../contract/partner/sample-calls.ts';
import type { Snippet } from '../frame/code-tabs.ts';

export function samplePrograms(call: SampleCall): Snippet {
  return { curl: formatCurl(call), typescript: formatTypeScript(call), python: formatPython(call) };
}

/** One line for a POSIX shell. */
export function formatCurl(call: SampleCall): string {
  const { method, url, body } = call;
  const options = [
    ...(method === undefined ? [] : [`-X ${method}`]),
    ...headersOf(call).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [dataOption(body)]),
  ];
  const line = ['curl -sS --fail-with-body', ...options, shellText(url)].join(' ');
  return body !== undefined && 'byteCount' in body ? `head -c ${body.byteCount} /dev/zero | ${line}` : line;
}

function dataOption(body: SampleBody): string {
  if ('byteCount' in body) return '--data-binary @-';
  return `-d ${shellText('json' in body ? JSON.stringify(body.json) : body.text)}`;
}

function formatTypeScript(call: SampleCall): string {
  const { url, body, method = body === undefined ? undefined : 'POST' } = call;
  const headers = headersOf(call).map(
    ([name, value]) => `    ${/^\w+$/.test(name) ? name : `'${name}'`}: ${typeScriptText(value)},\n`,
  );
  const options = [
    ...(method === undefined ? [] : [`  method: '${method}',\n`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },\n`]),
    ...(body === undefined ? [] : [`  body: ${typeScriptBody(body)},\n`]),
  ];
  const rest = options.length === 0 ? '' : `, {\n${options.join('')}}`;
  return `const response = await fetch(${typeScriptText(url)}${rest});
console.log(response.status, await response.text());`;
}

function typeScriptBody(body: SampleBody): string {
  if ('byteCount' in body) return `'0'.repeat(${body.byteCount})`;
  if ('text' in body) return typeScriptText(body.text);
  return `JSON.stringify(${jsonProgram(body.json, '  ', (name) => `process.env.${name}`)})`;
}

function formatPython(call: SampleCall): string {
  const { url, body, method } = call;
  const headers = headersOf(call).map(([name, value]) => `        "${name}": ${pythonText(value)},\n`);
  const rest = [
    ...(method === undefined ? [] : [`    method="${method}",\n`]),
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },\n`]),
    ...(body === undefined ? [] : [`    data=${pythonBody(body)},\n`]),
  ];
  const isJson = body !== undefined && 'json' in body;
  return `import ${isJson ? 'json, os' : 'os'}
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${pythonText(url)},
${rest.join('')})
try:
    with urlopen(request) as response:
        print(response.status, response.read().decode())
except HTTPError as error:
    print(error.code, error.read().decode())`;
}

function pythonBody(body: SampleBody): string {
  if ('byteCount' in body) return `b"0" * ${body.byteCount}`;
  if ('text' in body) return `b${JSON.stringify(body.text)}`;
  return `json.dumps(${jsonProgram(body.json, '    ', (name) => `os.environ["${name}"]`)}).encode()`;
}

/** Names and values in display order. */
function headersOf({ token, header, body }: SampleCall): readonly (readonly [string, string])[] {
  return [
    ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
    ...(header === undefined ? [] : [header]),
    ...(body === undefined ? [] : [['Content-Type', body.mediaType] as const]),
  ];
}

/** JSON for both languages, with variables for texts such as `"$CHECK_IN"`. */
function jsonProgram(value: object, indent: string, variable: (name: string) => string): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('\n', `\n${indent}`)
    .replaceAll(/"\$([A-Z_]+)"/g, (_, name: string) => variable(name));
}

const VARIABLE = /\$([A-Z_]+)/g;

function shellText(text: string): string {
  return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;
}

function typeScriptText(text: string): string {
  const filled = text.replaceAll(VARIABLE, (_, name: string) => `\${process.env.${name}}`);
  return filled === text ? `'${text}'` : `\`${filled}\``;
}

/** Texts and variables, joined by `+`. */
function pythonText(text: string): string {
  return text
    .split(VARIABLE)
    .map((part, index) => (index % 2 === 1 ? `os.environ["${part}"]` : JSON.stringify(part)))
    .filter((part) => part !== '""')
    .join(' + ');
}
