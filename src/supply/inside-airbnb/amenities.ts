/** The amenities of a listing, in the two notations that Inside Airbnb has used. */

const BRACED_ITEM = /"((?:[^"\\]|\\.)*)"|([^",]+)/gy;

/** `["TV", "Wifi"]` or, until 2020, `{TV,"Wireless Internet"}`; undefined when it is neither. Empty is none. */
export function parseAmenities(text: string): string[] | undefined {
  const amenities = text === '' ? [] : text.startsWith('{') ? parseBraced(text) : parseJsonList(text);
  return amenities?.map((amenity) => amenity.trim()).filter((amenity) => amenity !== '');
}

function parseJsonList(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An array as PostgreSQL writes it: items with blanks or commas are quoted, and a backslash quotes a character. */
function parseBraced(text: string): string[] | undefined {
  if (!text.endsWith('}')) return undefined;
  const inside = text.slice(1, -1);
  const items: string[] = [];
  for (let at = 0; at < inside.length;) {
    BRACED_ITEM.lastIndex = at;
    const match = BRACED_ITEM.exec(inside);
    if (match === null) return undefined;
    items.push(match[1]?.replaceAll(/\\(.)/g, '$1') ?? match[2]!);
    at = BRACED_ITEM.lastIndex;
    if (at < inside.length && inside[at] !== ',') return undefined;
    at += 1;
  }
  return items;
}
