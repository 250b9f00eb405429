/** The operator's logo: a file that WEB_LOGO names, or bytes that were uploaded. */
import { Wrong } from '../../domain/wrong.ts';
import type { Logo } from '../../traveller/web/assets.ts';

/** A logo is sent with the first page of every traveller. */
export const LOGO_BYTES_MAX = 262_144;

const PNG_SIGNATURE = '89504e470d0a1a0a';
const MEDIA_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** Why it can't be shown; undefined: it can. */
export function findLogoProblem({ kind, bytes }: Logo): Wrong | undefined {
  if (bytes.length > LOGO_BYTES_MAX) return new Wrong('logoLarge', { max: LOGO_BYTES_MAX / 1024 });
  const isOfItsKind =
    kind === 'svg'
      ? Buffer.from(bytes).includes('<svg')
      : Buffer.from(bytes.subarray(0, 8)).toString('hex') === PNG_SIGNATURE;
  return isOfItsKind ? undefined : new Wrong('logoOfOtherKind', { kind: kind.toUpperCase() });
}

/** The kind of an uploaded file, by its content: its name is not looked at. */
export function logoOfBytes(bytes: Uint8Array): Logo {
  const isPng = Buffer.from(bytes.subarray(0, 8)).toString('hex') === PNG_SIGNATURE;
  return { kind: isPng ? 'png' : 'svg', bytes };
}

/** As it is stored: a data URL. */
export function packLogo({ kind, bytes }: Logo): string {
  return `data:${MEDIA_TYPES[kind]};base64,${Buffer.from(bytes).toString('base64')}`;
}

export function unpackLogo(text: string): Logo | Wrong {
  const [kind] =
    Object.entries(MEDIA_TYPES).find(([, type]) => text.startsWith(`data:${type};base64,`)) ?? [];
  if (kind === undefined) return new Wrong('notLogo');
  const logo = {
    kind: kind as Logo['kind'],
    bytes: Buffer.from(text.slice(text.indexOf(',') + 1), 'base64'),
  };
  return findLogoProblem(logo) ?? logo;
}
