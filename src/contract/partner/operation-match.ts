/** Finds the operation of a request line in the table of operations. */
import { OPERATIONS, type Operation } from './operations.ts';

export type OperationMatch =
  | {
      readonly found: 'operation';
      readonly operation: Operation;
      /** Undecoded path segments by name of the path parameter, for `validatePath`. */
      readonly rawSegments: Readonly<Record<string, string>>;
    }
  /** The path exists with other methods: 405 with these in `Allow`. */
  | { readonly found: 'path'; readonly allowedMethods: readonly string[] }
  | { readonly found: 'nothing' };

interface PathShape {
  readonly operation: Operation;
  /** A literal segment, or null where a parameter stands. */
  readonly segments: readonly { readonly literal: string | null; readonly name: string }[];
}

const SHAPES: readonly PathShape[] = OPERATIONS.map((operation) => ({
  operation,
  segments: operation.path.split('/').map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    return name === undefined ? { literal: part, name: '' } : { literal: null, name };
  }),
}));

/**
 * `rawPath` is the request target before `?`, undecoded. Literal segments are compared as they are written, byte by
 * byte; a parameter takes any segment that is not empty. So `/v1/properties/` is no operation.
 */
export function matchOperation(method: string, rawPath: string): OperationMatch {
  const parts = rawPath.split('/');
  const allowedMethods: string[] = [];
  for (const shape of SHAPES) {
    if (!fits(shape, parts)) continue;
    if (shape.operation.method === method) {
      return { found: 'operation', operation: shape.operation, rawSegments: segmentsOf(shape, parts) };
    }
    allowedMethods.push(shape.operation.method);
  }
  return allowedMethods.length > 0 ? { found: 'path', allowedMethods } : { found: 'nothing' };
}

function fits(shape: PathShape, parts: readonly string[]): boolean {
  return (
    shape.segments.length === parts.length &&
    shape.segments.every(({ literal }, index) =>
      literal === null ? parts[index] !== '' : parts[index] === literal,
    )
  );
}

function segmentsOf(shape: PathShape, parts: readonly string[]): Record<string, string> {
  const segments: Record<string, string> = {};
  for (const [index, { literal, name }] of shape.segments.entries()) {
    if (literal === null) segments[name] = parts[index] ?? '';
  }
  return segments;
}
