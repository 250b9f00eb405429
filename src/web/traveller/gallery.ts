/** The pictures of a property: one row that is scrolled by hand, the cover first. */
import { type LocalizedText, textFor } from '../../domain/property.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { langOf } from './lang.ts';
import type { View } from './frame.ts';

/** A picture that is there, and that the page may load. */
export interface ShownImage {
  /** Below the root of the listener without a slash in front, or an https URL. */
  readonly src: string;
  /** For those who see the link elsewhere. */
  readonly absoluteUrl: string;
  readonly alt: LocalizedText;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** All but the cover are loaded when they come near. Sizes are written, so that nothing moves when they arrive. */
export function gallery({ messages, root }: View, images: readonly ShownImage[]): Content {
  if (images.length === 0) return '';
  const figures = images.map((image, index) => picture(image, index === 0, { messages, root }));
  if (images.length === 1) return html`<div class="gallery alone">${figures}</div>`;
  return html`<div class="gallery" role="group" aria-label="${messages.pictures(images.length)}" tabindex="0">
    ${figures}
  </div>`;
}

function picture(
  { src, alt, width, height }: ShownImage,
  isCover: boolean,
  { messages, root }: Pick<View, 'messages' | 'root'>,
): Html {
  const { locale } = messages;
  const url = src.startsWith('https:') ? src : `${root}${src}`;
  const loading = isCover ? html` fetchpriority="high"` : html` loading="lazy" decoding="async"`;
  return html`<img
    src="${url}"
    alt="${textFor(alt, locale)}"
    ${langOf(alt, locale)}
    width="${width}"
    height="${height}"
    ${loading}
  />`;
}
