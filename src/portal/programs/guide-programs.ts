/** The programs of the guide. Each is complete: pasted into a file or a shell, it runs and prints its result. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import {
  availabilityExamples,
  EXAMPLE_CITY,
  EXAMPLE_PROPERTY_ID,
  listExamples,
  quoteExamples,
} from '../../contract/partner/examples.ts';
import type { Snippet } from '../frame/code-tabs.ts';

/** Input of the programs: with a live token the demo's sample catalogue, with a test token the sandbox. */
export interface Sample {
  readonly city: string;
  /** A city of several pages. */
  readonly largeCity: string;
  /** Adapts a text to this sample: examples name ids of the catalogue. */
  readonly of: (text: string) => string;
}

export const LIVE_SAMPLE: Sample = { city: EXAMPLE_CITY, largeCity: 'Antwerp', of: (text) => text };

export const TEST_CITY = 'Testville';
export const TEST_SAMPLE: Sample = {
  city: TEST_CITY,
  largeCity: TEST_CITY,
  of: (text) => text.replaceAll(EXAMPLE_CITY, TEST_CITY).replaceAll(EXAMPLE_PROPERTY_ID, 'test-always'),
};

/** A call, and the part of the answer that its program prints. */
interface Reading {
  readonly url: string;
  /** The answer as a TypeScript type. */
  readonly type: string;
  /** The variable of the answer in both languages. */
  readonly name: string;
  readonly print: { readonly typescript: string; readonly python: string };
}

export function firstCall(publicUrl: string, { city }: Sample): Snippet {
  return get({
    url: `${publicUrl}/v1/properties?city=${city}&locale=en-GB`,
    type: '{ items: { propertyId: string; name: string }[] }',
    name: 'page',
    print: {
      typescript:
        'for (const { propertyId, name } of page.items) console.log(propertyId, name);\n' +
        "if (page.items.length === 0) console.log('no property: check how the city is spelled');",
      python:
        'for item in page["items"]:\n    print(item["propertyId"], item["name"])\n' +
        'if not page["items"]:\n    print("no property: check how the city is spelled")',
    },
  });
}

export function datedSearch(publicUrl: string, dates: ExampleDates, sample: Sample): Snippet {
  return get({
    url: publicUrl + sample.of(listExamples(dates).target),
    type: '{ items: { propertyId: string }[]; pagination: { total: number } }',
    name: 'page',
    print: {
      typescript:
        'console.log(`${page.pagination.total} free`);\nfor (const { propertyId } of page.items) console.log(propertyId);',
      python:
        'print(page["pagination"]["total"], "free")\nfor item in page["items"]:\n    print(item["propertyId"])',
    },
  });
}

export function availability(publicUrl: string, dates: ExampleDates, sample: Sample): Snippet {
  return get({
    url: publicUrl + sample.of(availabilityExamples(dates).target),
    type: '{ available: boolean; days: { date: string; available: boolean }[] }',
    name: 'answer',
    print: {
      typescript:
        "console.log(answer.available ? 'free' : 'not free');\n" +
        'for (const { date, available } of answer.days) console.log(date, available);',
      python:
        'print("free" if answer["available"] else "not free")\n' +
        'for day in answer["days"]:\n    print(day["date"], day["available"])',
    },
  });
}

export function quote(publicUrl: string, dates: ExampleDates, sample: Sample): Snippet {
  const { target, body } = quoteExamples(dates);
  const json = sample.of(JSON.stringify(body, null, 2));
  return {
    curl: `curl -sS --fail-with-body "${publicUrl}${target}" \\
  -H "Authorization: Bearer $STAYPORT_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${json}'`,
    typescript: `const response = await fetch('${publicUrl}${target}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indent(json, '  ')}),
});
const body: any = await response.json();
if (response.status === 201) {
  console.log(body.pricing.total, body.currency, body.handoffUrl);
} else if (body.code === 'STAY_UNAVAILABLE') {
  console.log('no longer free: offer other dates');
} else {
  throw new Error(\`\${body.code}: \${body.detail} (\${body.correlationId})\`);
}`,
    python: `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    "${publicUrl}${target}",
    data=json.dumps(${indent(json, '    ')}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"],
        "Content-Type": "application/json",
    },
)
try:
    with urlopen(request) as response:
        quote = json.load(response)
    print(quote["pricing"]["total"], quote["currency"], quote["handoffUrl"])
except HTTPError as error:
    problem = json.load(error)
    if problem["code"] != "STAY_UNAVAILABLE":
        raise SystemExit(f'{problem["code"]}: {problem["detail"]} ({problem["correlationId"]})')
    print("no longer free: offer other dates")`,
  };
}

function get({ url, type, name, print }: Reading): Snippet {
  return {
    curl: curlGet(url),
    typescript: `const response = await fetch('${url}', {
  headers: { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\` },
});
if (!response.ok) throw new Error(await response.text());
const ${name} = (await response.json()) as ${type};
${print.typescript}`,
    python: `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"]},
)
try:
    with urlopen(request) as response:
        ${name} = json.load(response)
except HTTPError as error:
    raise SystemExit(error.read().decode())
${print.python}`,
  };
}

/** Writes the query in parts, so that it is easy to read and change. */
function curlGet(url: string): string {
  const [path = '', query = ''] = url.split('?');
  const parts = query.split('&').map((part) => `-d ${part}`);
  return `curl -sS --fail-with-body -G "${path}" \\\n  -H "Authorization: Bearer $STAYPORT_TOKEN" \\\n  ${parts.join(' ')}`;
}

/** All lines but the first. */
function indent(text: string, blanks: string): string {
  return text.replaceAll('\n', `\n${blanks}`);
}
