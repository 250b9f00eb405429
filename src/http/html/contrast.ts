/** Colours and their contrast (WCAG 2.2). */

/** Red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Throws on anything except `#rrggbb`: settings are already checked. */
export function parseColour(hex: string): Colour {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (match === null) throw new TypeError(`not a colour: ${hex}`);
  return [match[1], match[2], match[3]].map((part) => Number.parseInt(part ?? '', 16)) as unknown as Colour;
}

/** Relative luminance of sRGB. */
export function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
