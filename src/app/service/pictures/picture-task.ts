/** The limits of pictures that are decoded, and what `picture-process.ts` and `picture-program.ts` tell each other. */
import type { PictureSize } from '../../doctor/check.ts';

/** Width times height: above any camera. */
export const PICTURE_AREA_MAX = 100_000_000;
/** The processor's time for one picture. */
export const PICTURE_MS_MAX = 10_000;
/** All memory of the process. */
export const PICTURE_MEMORY_MAX = 512 * 2 ** 20;
/** Pixels of a made picture. */
export const MADE_WIDTH_MAX = 2_560;
/** Files of one run that looks for places where pictures were taken. */
export const LOOKED_FILES_MAX = 5_000;
/**
 * The first argument of the program; the next are its limits in ms, of the time of the processor and of all time. It
 * reads for `make` the bytes of a picture, else a `LookOrder` as JSON.
 */
export type PictureTask = 'make' | 'sizes' | 'positions';

/** Why no picture was made of the bytes. */
export type PictureRefusal =
  | { readonly refused: 'kind' | 'heic' | 'animation' | 'damaged' | 'large' | 'late' | 'memory' | 'busy' }
  | { readonly refused: 'area'; readonly width: number; readonly height: number }
  /** `why` is the system's message. */
  | { readonly refused: 'unavailable'; readonly why: string };

/** The first line about a made picture; the bytes of each size follow, in this order. */
export interface MadeHead {
  readonly extension: string;
  readonly sizes: readonly (PictureSize & { readonly byteLength: number })[];
}

/** The input of `sizes` and `positions`. */
export interface LookOrder {
  /** WEB_IMAGES */
  readonly root: string;
  readonly paths: readonly string[];
  readonly limitMs: number;
}
