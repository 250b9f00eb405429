/** The programs of /docs/any-dates: the cheapest weekend of a city, and its month with the lowest total of each day. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { dateAfter } from '../../contract/partner/example-dates.ts';
import type { Snippet } from '../frame/code-tabs.ts';

const WEEKEND_NIGHTS = 2;
const WEEKEND_DATES = 28;
const MONTH_DATES = 31;

/** Two nights from a Friday on, at each property of the city that is open for one. */
export function cheapestWeekend(publicUrl: string, city: string, { stay }: ExampleDates): Snippet {
  const until = dateAfter(stay.checkIn, WEEKEND_DATES - 1);
  const target =
    `/prices/v1/flexible-stays?city=${city}&checkInFrom=${stay.checkIn}&checkInUntil=${until}` +
    `&nights=${WEEKEND_NIGHTS}&checkInDays=fri&guests=2&locale=en-GB`;
  return {
    curl: `curl -sS --fail-with-body -H "Authorization: Bearer $STAYPORT_TOKEN" \\
  "${publicUrl}${target}"`,
    typescript: `${getInTypeScript(publicUrl)}
const { items } = await get('${target}');
for (const { name, currency, stay, pricing } of items)
  console.log(stay.checkIn, pricing ? \`\${pricing.total} \${currency}\` : 'price on request', name);`,
    python: `${getInPython(publicUrl)}
for item in get("${target}")["items"]:
    pricing = item["pricing"]
    total = f'{pricing["total"]} {item["currency"]}' if pricing else "price on request"
    print(item["stay"]["checkIn"], total, item["name"])`,
  };
}

/** A page with a month of a city: how many properties are open from each day on, and the lowest total. */
export function cityMonth(publicUrl: string, city: string, { stay }: ExampleDates): Snippet {
  const until = dateAfter(stay.checkIn, MONTH_DATES);
  const target = `/prices/v1/days?city=${city}&from=${stay.checkIn}&until=${until}&nights=${WEEKEND_NIGHTS}&guests=4`;
  return {
    curl: `curl -sS --fail-with-body -H "Authorization: Bearer $STAYPORT_TOKEN" \\
  "${publicUrl}${target}"`,
    typescript: `${getInTypeScript(publicUrl)}
const { days } = await get('${target}');
console.log('<!doctype html><meta charset="utf-8"><title>A month</title><style>');
console.log('main { display: grid; grid-template-columns: repeat(7, 1fr); gap: 4px; font: 16px sans-serif }');
console.log('p { margin: 0; padding: 8px; background: #eef3ee }</style><main>');
// Monday first.
for (let empty = (new Date(days[0].checkIn).getUTCDay() + 6) % 7; empty > 0; empty -= 1) console.log('<i></i>');
for (const { checkIn, properties, lowest: [least] } of days)
  console.log(\`<p>\${checkIn.slice(8)}<br><b>\${least?.total ?? '-'}</b><br>\${properties} open</p>\`);`,
    python: `${getInPython(publicUrl)}
from datetime import date

days = get("${target}")["days"]
print('<!doctype html><meta charset="utf-8"><title>A month</title><style>')
print('main { display: grid; grid-template-columns: repeat(7, 1fr); gap: 4px; font: 16px sans-serif }')
print('p { margin: 0; padding: 8px; background: #eef3ee }</style><main>')
print("<i></i>" * date.fromisoformat(days[0]["checkIn"]).weekday())
for day in days:
    least = day["lowest"][0]["total"] if day["lowest"] else "-"
    print(f'<p>{day["checkIn"][8:]}<br><b>{least}</b><br>{day["properties"]} open</p>')`,
  };
}

function getInTypeScript(publicUrl: string): string {
  return `async function get(path: string): Promise<any> {
  const headers = { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\` };
  const response = await fetch('${publicUrl}' + path, { headers });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}
`;
}

function getInPython(publicUrl: string): string {
  return `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def get(path):
    headers = {"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"]}
    try:
        with urlopen(Request("${publicUrl}" + path, headers=headers)) as response:
            return json.load(response)
    except HTTPError as error:
        raise SystemExit(error.read().decode())
`;
}
