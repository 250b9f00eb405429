/** The longest program of the guide: every page of a search, respecting Retry-After. */
import type { Snippet } from '../frame/code-tabs.ts';
import type { Sample } from './guide-programs.ts';

const PAGE_SIZE = 50;

export function allPages(publicUrl: string, { largeCity }: Sample): Snippet {
  const url = `${publicUrl}/v1/properties?city=${largeCity}&pageSize=${PAGE_SIZE}&page=`;
  return {
    curl: `page=1
while true; do
  # Waits as long as Retry-After says on 429 and 503.
  answer=$(curl -sS --fail --retry 4 -H "Authorization: Bearer $STAYPORT_TOKEN" \\
    "${url}$page") || exit 1
  echo "$answer" | grep -o '"propertyId":"[^"]*"'
  case "$answer" in *'"hasMore":true'*) page=$((page + 1)) ;; *) break ;; esac
done`,
    typescript: `async function get(url: string): Promise<any> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      headers: { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\` },
    });
    if (response.ok) return await response.json();
    const mayTryAgain = [429, 500, 503].includes(response.status) && attempt < 5;
    if (!mayTryAgain) throw new Error(await response.text());
    // Retry-After is authoritative. Without one: 1, 2, 4, 8 s, and a random part.
    const seconds = Number(response.headers.get('retry-after') ?? 2 ** (attempt - 1));
    await new Promise((resolve) => setTimeout(resolve, 1000 * (seconds + Math.random())));
  }
}

let count = 0;
for (let page = 1, hasMore = true; hasMore; page += 1) {
  const { items, pagination } = await get(\`${url}\${page}\`);
  count += items.length;
  hasMore = pagination.hasMore;
}
console.log(count);`,
    python: `import json, os, random, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def get(url):
    headers = {"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"]}
    for attempt in range(1, 6):
        try:
            with urlopen(Request(url, headers=headers)) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code not in (429, 500, 503) or attempt == 5:
                raise
            # Retry-After is authoritative. Without one: 1, 2, 4, 8 s, and a random part.
            seconds = int(error.headers.get("Retry-After") or 2 ** (attempt - 1))
            time.sleep(seconds + random.random())

count, number, has_more = 0, 1, True
while has_more:
    page = get(f"${url}{number}")
    count += len(page["items"])
    has_more = page["pagination"]["hasMore"]
    number += 1
print(count)`,
  };
}
