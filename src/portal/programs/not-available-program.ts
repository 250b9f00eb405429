/** The program of /docs/not-available: of each property its price, or why it has none and what it has instead. */
import { dateAfter, type ExampleDates } from '../../contract/partner/example-dates.ts';
import type { Snippet } from '../frame/code-tabs.ts';

/** Properties of the sandbox: one has a price, the others have reasons. */
const EXPLAINED_PROPERTIES = ['test-always', 'test-sold-out', 'test-quote-unavailable', 'test-gap'] as const;

/** Days from today of a stay that the gap of `test-gap` cuts. */
const [CHECK_IN_DAY, CHECK_OUT_DAY] = [9, 12];

export function explainStays(publicUrl: string, { today }: ExampleDates): Snippet {
  const stay = {
    checkIn: dateAfter(today, CHECK_IN_DAY),
    checkOut: dateAfter(today, CHECK_OUT_DAY),
    guests: 2,
  };
  const asked = { propertyIds: EXPLAINED_PROPERTIES, stay, why: true };
  const body = JSON.stringify(asked);
  return {
    curl: `curl -sS --fail-with-body -H "Authorization: Bearer $STAYPORT_TOKEN" -H "Content-Type: application/json" \\
  -d '${body}' \\
  "${publicUrl}/prices/v1/stays"`,
    typescript: inTypeScript(publicUrl, body),
    python: inPython(publicUrl, body),
  };
}

function inTypeScript(publicUrl: string, body: string): string {
  return `const response = await fetch('${publicUrl}/prices/v1/stays', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify(${body}),
});
if (!response.ok) throw new Error(await response.text());
const { items } = await response.json();

/** Your words for codes that you know; the others are a plain "not available". */
const said: Record<string, (reason: any) => string> = {
  CAPACITY: ({ guestsMax }) => \`for at most \${guestsMax}\`,
  NIGHTS_CLOSED: ({ dates }) => \`not free on \${dates.join(', ')}\`,
  MIN_STAY: ({ nights }) => \`from \${nights} nights on\`,
  NO_PRICE: () => 'price on request',
};
for (const { propertyId, code, currency, pricing, reasons, instead } of items) {
  if (code === null) {
    console.log(\`\${propertyId}: \${pricing.total} \${currency}\`);
    continue;
  }
  // Null: this operator tells no reasons.
  const why = (reasons ?? []).map((reason: any) => said[reason.code]?.(reason) ?? 'not available');
  console.log(\`\${propertyId}: \${why.join('; ') || 'not available'}\`);
  for (const { checkIn, checkOut, total } of instead)
    console.log(\`  \${checkIn} to \${checkOut}: \${total ?? 'on request'} \${currency}\`);
}`;
}

function inPython(publicUrl: string, body: string): string {
  return `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"], "Content-Type": "application/json"}
body = b'${body}'
try:
    with urlopen(Request("${publicUrl}/prices/v1/stays", body, headers)) as response:
        items = json.load(response)["items"]
except HTTPError as error:
    raise SystemExit(error.read().decode())

# Your words for codes that you know; the others are a plain "not available".
said = {
    "CAPACITY": lambda reason: f'for at most {reason["guestsMax"]}',
    "NIGHTS_CLOSED": lambda reason: f'not free on {", ".join(reason["dates"])}',
    "MIN_STAY": lambda reason: f'from {reason["nights"]} nights on',
    "NO_PRICE": lambda reason: "price on request",
}
for item in items:
    if item["code"] is None:
        print(f'{item["propertyId"]}: {item["pricing"]["total"]} {item["currency"]}')
        continue
    # None: this operator tells no reasons.
    why = [said.get(reason["code"], lambda _: "not available")(reason) for reason in item["reasons"] or []]
    print(f'{item["propertyId"]}: {"; ".join(why) or "not available"}')
    for stay in item["instead"]:
        print(f'  {stay["checkIn"]} to {stay["checkOut"]}: {stay["total"] or "on request"} {item["currency"]}')`;
}
