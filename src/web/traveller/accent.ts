/**
 * The operator's colour on the page: whatever it is, text on it and text in it can be read (WCAG 2.2 SC 1.4.3, AA). The
 * ratios are computed once at start.
 */

/** Red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** WCAG 2.2 SC 1.4.3: text of ordinary size. */
export const CONTRAST_MIN = 4.5;

export interface Accent {
  /** Fills, and text on the page's own background. */
  readonly colour: string;
  /** Text on a fill. */
  readonly onColour: string;
}

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
const MIX_STEPS = 40;

/**
 * The accent as it can be used on `background`: the operator's colour, mixed with black or white as far as needed to
 * stand out from the background, and the text colour that can be read on it.
 */
export function makeAccent(hex: string, background: string): Accent {
  const behind = parseColour(background);
  const colour = readableOn(parseColour(hex), behind);
  const onColour = contrast(WHITE, colour) >= CONTRAST_MIN ? WHITE : BLACK;
  return { colour: formatColour(colour), onColour: formatColour(onColour) };
}

/** Of WCAG 2.2, from 1 to 21. */
export function contrast(a: Colour, b: Colour): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Throws on anything but `#rrggbb`: settings are checked before. */
export function parseColour(hex: string): Colour {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  if (match === null) throw new TypeError(`not a colour: ${hex}`);
  return [match[1], match[2], match[3]].map((part) => Number.parseInt(part ?? '', 16)) as unknown as Colour;
}

function readableOn(colour: Colour, behind: Colour): Colour {
  const towards = luminance(behind) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step <= MIX_STEPS; step += 1) {
    const mixed = mix(colour, towards, step / MIX_STEPS);
    if (contrast(mixed, behind) >= CONTRAST_MIN) return mixed;
  }
  return towards;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return from.map((value, index) =>
    Math.round(value + ((to[index] ?? 0) - value) * share),
  ) as unknown as Colour;
}

/** Relative luminance of sRGB. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function formatColour(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
