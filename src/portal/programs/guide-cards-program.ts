/** The guide's program for a page of cards: picture, name and total of each stay, the cheapest first. */
import type { ExampleDates } from '../../contract/partner/example-dates.ts';
import { priceListExamples } from '../../contract/partner/price-examples.ts';
import type { Snippet } from '../frame/code-tabs.ts';
import type { Sample } from './guide-programs.ts';

const CONTENT_PATH = '/content/v1/properties/';
const CONTENT_QUERY = '?locale=en-GB';

export function cards(publicUrl: string, dates: ExampleDates, sample: Sample): Snippet {
  const target = sample.of(priceListExamples(dates).target);
  return {
    curl: inShell(publicUrl, target),
    typescript: inTypeScript(publicUrl, target),
    python: inPython(publicUrl, target),
  };
}

/** Works without a JSON reader: each item is on its own line, and its first address is its first picture. */
function inShell(publicUrl: string, target: string): string {
  return `api="${publicUrl}"
get() { curl -sS --fail-with-body -H "Authorization: Bearer $STAYPORT_TOKEN" "$api$1"; }
field() { sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }
stays=$(get "${target}") || { echo "$stays" >&2; exit 1; }
echo '<!doctype html><meta charset="utf-8"><title>Stays</title>'
echo "$stays" | awk '{ gsub(/[{]"propertyId"/, "\\n&"); print }' | grep '^{"propertyId"' | while read -r item; do
  content=$(get "${CONTENT_PATH}$(echo "$item" | field propertyId)${CONTENT_QUERY}") || exit 1
  picture=$(echo "$content" | grep -o '"url":"[^"]*"' | head -n 1 | field url)
  name=$(echo "$item" | grep -o '"name":"[^"]*"' | head -n 1 | field name)
  total=$(echo "$item" | field total)
  echo '<article>'
  if [ -n "$picture" ]; then echo "  <img src=\\"$picture\\" alt=\\"\\" width=\\"320\\">"; fi
  echo "  <h2>$(echo "$name" | sed 's/&/\\&amp;/g; s/</\\&lt;/g')</h2>"
  echo "  <p>\${total:-Price on request} \${total:+$(echo "$item" | field currency)}</p>"
  echo '</article>'
done`;
}

function inTypeScript(publicUrl: string, target: string): string {
  return `const api = '${publicUrl}';

async function get(path: string): Promise<any> {
  const headers = { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\` };
  const response = await fetch(api + path, { headers });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (value: string): string => value.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

const { items } = await get('${target}');
console.log('<!doctype html><meta charset="utf-8"><title>Stays</title>');
for (const { propertyId, name, currency, pricing } of items) {
  const { images } = await get(\`${CONTENT_PATH}\${propertyId}${CONTENT_QUERY}\`);
  const [picture] = images;
  console.log('<article>');
  if (picture) console.log(\`  <img src="\${text(picture.url)}" alt="\${text(picture.alt)}" width="320">\`);
  console.log(\`  <h2>\${text(name)}</h2>\`);
  console.log(\`  <p>\${pricing ? \`\${pricing.total} \${currency}\` : 'Price on request'}</p>\`);
  console.log('</article>');
}`;
}

function inPython(publicUrl: string, target: string): string {
  return `import json, os
from html import escape
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API = "${publicUrl}"

def get(path):
    headers = {"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"]}
    try:
        with urlopen(Request(API + path, headers=headers)) as response:
            return json.load(response)
    except HTTPError as error:
        raise SystemExit(error.read().decode())

stays = get("${target}")
print('<!doctype html><meta charset="utf-8"><title>Stays</title>')
for item in stays["items"]:
    content = get("${CONTENT_PATH}" + item["propertyId"] + "${CONTENT_QUERY}")
    pricing = item["pricing"]
    total = f'{pricing["total"]} {item["currency"]}' if pricing else "Price on request"
    print("<article>")
    for picture in content["images"][:1]:
        print(f'  <img src="{escape(picture["url"])}" alt="{escape(picture["alt"])}" width="320">')
    print(f'  <h2>{escape(item["name"])}</h2>')
    print(f"  <p>{total}</p>")
    print("</article>")`;
}
