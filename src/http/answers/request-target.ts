/** The request target (RFC 9112 3.2), taken apart without decoding anything. */

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * The target as the router should see it: origin-form, with every percent sign of the path escaped once more. The
 * router then decodes a segment to exactly what was sent, so that a malformed escape reaches the rules of its field,
 * after the checks that come before them, and not an error page of the router.
 *
 *     /v1/properties/%zz?city=%41   ->   /v1/properties/%25zz?city=%41
 */
export function routerTarget(target: string): string {
  const originForm = originFormOf(target);
  const queryAt = originForm.indexOf('?');
  const percentAt = originForm.indexOf('%');
  if (percentAt === -1 || (queryAt !== -1 && percentAt > queryAt)) return originForm;
  const path = queryAt === -1 ? originForm : originForm.slice(0, queryAt);
  return path.replaceAll('%', '%25') + originForm.slice(path.length);
}

/** Path and query, undecoded. `*` and other targets without a path become a path that no operation has. */
export function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ABSOLUTE_FORM, '');
  if (rest === target) return `/${target}`;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The text before the first `?`, as the router sees it. */
export function rawPathOf(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

/** The text after the first `?`, undecoded; empty without one. */
export function rawQueryOf(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? '' : url.slice(queryAt + 1);
}
