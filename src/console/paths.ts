/** Paths of the console's pages, from the root of the listener. */

export type Folder = 'partners' | 'properties' | 'quotes' | 'requests';

/** The page of what has this id: `/console/partners/acme`. */
export function pathOf(folder: Folder, id: string): string {
  return `/console/${folder}/${encodeURIComponent(id)}`;
}

/** What is undefined is left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
