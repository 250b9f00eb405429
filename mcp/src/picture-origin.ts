/** The origin of an address that starts with `https://`; undefined for anything else. */
export function pictureOriginOf(url: string): string | undefined {
  return URL.canParse(url) && new URL(url).protocol === 'https:' ? new URL(url).origin : undefined;
}
