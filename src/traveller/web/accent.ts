/**
 * The operator's colour on the page: text on it and in it is always readable (WCAG 2.2 SC 1.4.3, AA). Computed once at
 * the start.
 */

import { type Colour, contrast, luminance, parseColour } from '../../http/html/contrast.ts';

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
const LIGHTNESS_STEPS = 60;
/** Black and white contrast equally with it. */
const MIDDLE_LUMINANCE = 0.18;

/**
 * The accent for `background`: the operator's colour, made lighter or darker until it contrasts with the background,
 * and the text colour that is readable on it.
 */
export function makeAccent(hex: string, background: string): Accent {
  const behind = parseColour(background);
  const colour = readableOn(parseColour(hex), behind);
  const onColour = contrast(WHITE, colour) >= CONTRAST_MIN ? WHITE : BLACK;
  return { colour: formatColour(colour), onColour: formatColour(onColour) };
}

/** Lightens or darkens within its hue, step by step; the grey end is readable on any background. */
function readableOn(colour: Colour, behind: Colour): Colour {
  const { hue, saturation, lightness } = toHsl(colour);
  const end = luminance(behind) > MIDDLE_LUMINANCE ? 0 : 1;
  for (let step = 0; step < LIGHTNESS_STEPS; step += 1) {
    const moved = lightness + ((end - lightness) * step) / LIGHTNESS_STEPS;
    const candidate = step === 0 ? colour : fromHsl({ hue, saturation, lightness: moved });
    if (contrast(candidate, behind) >= CONTRAST_MIN) return candidate;
  }
  return end === 0 ? BLACK : WHITE;
}

interface Hsl {
  /** Sixths of the circle, 0 to 6. */
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function toHsl(colour: Colour): Hsl {
  const [red, green, blue] = colour.map((value) => value / 255) as [number, number, number];
  const highest = Math.max(red, green, blue);
  const lowest = Math.min(red, green, blue);
  const range = highest - lowest;
  const lightness = (highest + lowest) / 2;
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = range / (1 - Math.abs(2 * lightness - 1));
  if (highest === red) return { hue: ((green - blue) / range + 6) % 6, saturation, lightness };
  if (highest === green) return { hue: (blue - red) / range + 2, saturation, lightness };
  return { hue: (red - green) / range + 4, saturation, lightness };
}

function fromHsl({ hue, saturation, lightness }: Hsl): Colour {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const place = (offset + hue * 2) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function formatColour(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
