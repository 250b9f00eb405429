/** Finds the row of a table of operations for a request line. */

/** Required fields of a table's rows. */
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
interface RouteNode<Row> {
  /** The segments of a path of this template, by parameter name; else undefined. */
  readonly read: (rawPath: string) => Readonly<Record<string, string>> | undefined;
  readonly rowByMethod: Map<string, Row>;
}

const NO_SEGMENTS = {};
const NOTHING = { found: 'nothing' } as const;

/**
 * The router of a table. `rawPath` is the request target before `?`, undecoded. Literal segments are compared byte by
 * byte; a parameter takes any non-empty segment. A path without parameters wins over one with them.
 */
export function buildRouter<Row extends Routed>(rows: readonly Row[]): Router<Row> {
  const literalNodes = new Map<string, RouteNode<Row>>();
  const otherNodes: RouteNode<Row>[] = [];
  for (const [path, rowsOfPath] of Map.groupBy(rows, (row) => row.path)) {
    const rowByMethod = methodsOf(rowsOfPath);
    if (path.includes('{')) otherNodes.push({ read: buildReader(path), rowByMethod });
    else literalNodes.set(path, { read: () => NO_SEGMENTS, rowByMethod });
  }

  return (method, rawPath) => {
    const literalNode = literalNodes.get(rawPath);
    if (literalNode !== undefined) return matchMethod(literalNode, method, NO_SEGMENTS);
    for (const node of otherNodes) {
      const rawSegments = node.read(rawPath);
      if (rawSegments !== undefined) return matchMethod(node, method, rawSegments);
    }
    return NOTHING;
  };
}

function buildReader(template: string): RouteNode<unknown>['read'] {
  const names: string[] = [];
  const segments = template.split('/').map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return RegExp.escape(segment);
    names.push(name);
    return '([^/]+)';
  });
  const form = new RegExp(`^${segments.join('/')}$`);
  return (rawPath) => {
    const found = form.exec(rawPath);
    if (found === null) return undefined;
    const rawSegments: Record<string, string> = {};
    for (let index = 0; index < names.length; index += 1) rawSegments[names[index]!] = found[index + 1]!;
    return rawSegments;
  };
}

function methodsOf<Row extends Routed>(rows: readonly Row[]): Map<string, Row> {
  return new Map(
    rows.flatMap((row): [string, Row][] => {
      const own: [string, Row] = [row.method, row];
      return row.method === 'GET' ? [own, ['HEAD', row]] : [own];
    }),
  );
}

function matchMethod<Row>(
  { rowByMethod }: RouteNode<Row>,
  method: string,
  rawSegments: Readonly<Record<string, string>>,
): RouteMatch<Row> {
  const operation = rowByMethod.get(method);
  if (operation !== undefined) return { found: 'operation', operation, rawSegments };
  return { found: 'path', allowedMethods: [...rowByMethod.keys()] };
}
