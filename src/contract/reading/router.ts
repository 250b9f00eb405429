/** Finds the row of a table of operations for a request line. */

/** What a table must say of each of its rows. */
export interface Routed {
  /** GET answers HEAD as well. */
  readonly method: string;
  /** OpenAPI path template: `/v1/properties/{propertyId}`. */
  readonly path: string;
}

export type RouteMatch<Row> =
  | {
      readonly found: 'operation';
      readonly operation: Row;
      /** Undecoded path segments by name of the path parameter, for `validatePath`. */
      readonly rawSegments: Readonly<Record<string, string>>;
    }
  /** The path exists with other methods: 405 with these in `Allow`. */
  | { readonly found: 'path'; readonly allowedMethods: readonly string[] }
  | { readonly found: 'nothing' };

export type Router<Row> = (method: string, rawPath: string) => RouteMatch<Row>;

/** All rows of one path template. */
interface Place<Row> {
  readonly parts: readonly Part[];
  readonly rowByMethod: Map<string, Row>;
}

/** A literal segment, or the name of the parameter that stands there. */
type Part = { readonly literal: string } | { readonly name: string };

const NO_SEGMENTS = {};
const NOTHING = { found: 'nothing' } as const;

/**
 * The router of a table. `rawPath` is the request target before `?`, undecoded. Literal segments are compared as they
 * are written, byte by byte; a parameter takes any segment that is not empty. A path without parameters wins over one
 * with them.
 */
export function buildRouter<Row extends Routed>(rows: readonly Row[]): Router<Row> {
  const literalPlaces = new Map<string, Place<Row>>();
  const otherPlaces: Place<Row>[] = [];
  for (const [path, rowsOfPath] of Map.groupBy(rows, (row) => row.path)) {
    const place = { parts: partsOf(path), rowByMethod: methodsOf(rowsOfPath) };
    if (place.parts.some((part) => 'name' in part)) otherPlaces.push(place);
    else literalPlaces.set(path, place);
  }

  return (method, rawPath) => {
    const literalPlace = literalPlaces.get(rawPath);
    if (literalPlace !== undefined) return matchMethod(literalPlace, method, NO_SEGMENTS);
    const segments = rawPath.split('/');
    const place = otherPlaces.find(({ parts }) => fits(parts, segments));
    return place === undefined ? NOTHING : matchMethod(place, method, namedSegments(place.parts, segments));
  };
}

function partsOf(path: string): Part[] {
  return path.split('/').map((text) => {
    const name = /^\{(.+)\}$/.exec(text)?.[1];
    return name === undefined ? { literal: text } : { name };
  });
}

function methodsOf<Row extends Routed>(rows: readonly Row[]): Map<string, Row> {
  const rowByMethod = new Map(rows.map((row) => [row.method, row]));
  const reading = rowByMethod.get('GET');
  if (reading !== undefined) rowByMethod.set('HEAD', reading);
  return rowByMethod;
}

function matchMethod<Row>(
  { rowByMethod }: Place<Row>,
  method: string,
  rawSegments: Readonly<Record<string, string>>,
): RouteMatch<Row> {
  const operation = rowByMethod.get(method);
  if (operation !== undefined) return { found: 'operation', operation, rawSegments };
  return { found: 'path', allowedMethods: [...rowByMethod.keys()] };
}

function fits(parts: readonly Part[], segments: readonly string[]): boolean {
  if (parts.length !== segments.length) return false;
  return parts.every((part, index) =>
    'name' in part ? segments[index] !== '' : segments[index] === part.literal,
  );
}

function namedSegments(parts: readonly Part[], segments: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [index, part] of parts.entries()) if ('name' in part) named[part.name] = segments[index] ?? '';
  return named;
}
