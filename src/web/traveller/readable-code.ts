/** `resort_fee` is `Resort fee`: a code that no language has a name for. */
export function readable(code: string): string {
  const text = code.replaceAll(/[-_]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
