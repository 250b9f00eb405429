/** The programs of /docs/changes. They keep a copy of a city in a file, and have at most 30 lines without blank ones. */
import type { Snippet } from '../frame/code-tabs.ts';

const FEED = '/feeds/v1/changes';

export function copyProgram(publicUrl: string, city: string): Snippet {
  const catalogue = `/v1/properties?city=${city}&pageSize=50&page=`;
  return {
    curl: inShell(publicUrl),
    typescript: inTypeScript(publicUrl, catalogue),
    python: inPython(publicUrl, catalogue),
  };
}

/** The calls alone: a cursor, then the first changes after it. */
function inShell(publicUrl: string): string {
  return `feed="${publicUrl}${FEED}"
ask() { curl -sS --fail-with-body -H "Authorization: Bearer $STAYPORT_TOKEN" "$feed$1"; }
answer=$(ask "") || { echo "$answer" >&2; exit 1; }
next=$(echo "$answer" | sed 's/.*"next":"\\([^"]*\\)".*/\\1/')
ask "?since=$next&wait=20"`;
}

function inTypeScript(publicUrl: string, catalogue: string): string {
  return `import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

async function get(path: string): Promise<any> {
  const headers = { Authorization: \`Bearer \${process.env.STAYPORT_TOKEN}\` };
  const response = await fetch('${publicUrl}' + path, { headers });
  if (response.ok) return await response.json();
  // Gone; or the cursor no longer works.
  if ([404, 410].includes(response.status) || (response.status === 400 && path.includes('since='))) return null;
  if (response.status !== 429 && response.status !== 503) throw new Error(await response.text());
  await new Promise((done) => setTimeout(done, 1000 * Number(response.headers.get('Retry-After') ?? 1)));
  return await get(path);
}

async function readCatalogue(properties: any): Promise<any> {
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const answer = await get(\`${catalogue}\${page}\`);
    for (const item of answer.items) properties[item.propertyId] = item;
    hasMore = answer.pagination.hasMore;
  }
  return properties;
}

let copy = existsSync('copy.json') ? JSON.parse(readFileSync('copy.json', 'utf8')) : null;
for (;;) {
  const answer = await get('${FEED}' + (copy ? \`?wait=20&since=\${copy.next}\` : ''));
  const properties = answer && (copy?.properties ?? (await readCatalogue(await readCatalogue({}))));
  for (const { propertyId } of answer?.changes ?? [])
    properties[propertyId] = await get('/v1/properties/' + propertyId);
  copy = answer && { next: answer.next, properties };
  writeFileSync('copy.new', JSON.stringify(copy));
  renameSync('copy.new', 'copy.json');
}`;
}

function inPython(publicUrl: string, catalogue: string): string {
  return `import json, os, time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def get(path):
    headers = {"Authorization": "Bearer " + os.environ["STAYPORT_TOKEN"]}
    try:
        with urlopen(Request("${publicUrl}" + path, headers=headers), timeout=60) as response:
            return json.load(response)
    except HTTPError as error:
        if error.code in (404, 410) or (error.code == 400 and "since=" in path): return None
        if error.code not in (429, 503): raise SystemExit(error.read().decode())
        time.sleep(int(error.headers.get("Retry-After", 1)))
        return get(path)

def read_catalogue(properties):
    page = {"pagination": {"page": 0, "hasMore": True}}
    while page["pagination"]["hasMore"]:
        page = get(f"${catalogue}{page['pagination']['page'] + 1}")
        properties.update({item["propertyId"]: item for item in page["items"]})
    return properties

copy = json.loads(Path("copy.json").read_text()) if Path("copy.json").exists() else None
while True:
    answer = get("${FEED}" + (f"?wait=20&since={copy['next']}" if copy else ""))
    if answer:
        properties = copy["properties"] if copy else read_catalogue(read_catalogue({}))
        for change in answer["changes"]:
            properties[change["propertyId"]] = get("/v1/properties/" + change["propertyId"])
    copy = answer and {"next": answer["next"], "properties": properties}
    Path("copy.new").write_text(json.dumps(copy))
    Path("copy.new").replace("copy.json")`;
}

/** The same with the client for TypeScript, as functions of the partner's own. */
export const FOLLOW_PROGRAM = `let cursor = await loadCursor();
const onCursor = async (next: string) => {
  if (cursor === undefined) await readCatalogue();
  cursor = next;
  await storeCursor(next);
};
for await (const { propertyId, change } of client.changes.follow({ since: cursor, onCursor }))
  await (change === 'gone' ? forget(propertyId) : readAgain(propertyId));`;

export const VERIFY_PROGRAM = `import { verifyWebhook } from '@stayport/partner';

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, secret);
    await queue.add(event);
    return new Response(null, { status: 204 });
  } catch {
    return new Response(null, { status: 400 });
  }
}`;
