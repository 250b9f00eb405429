/**
 * Refuses what is no operation, before any credential is asked for: 404, or 405 with Allow when the path is known.
 * Decided here and not by the framework's own page for unknown routes, which would read the body first.
 */
import { matchOperation } from '../../contract/partner/operation-match.ts';
import type { Hook } from '../listener/app.ts';
import { presentUnknownOperation } from '../answers/present-problem.ts';
import { rawPathOf } from '../answers/request-target.ts';

/** Methods that a path has; empty when it is unknown. */
export type AllowedMethods = (rawPath: string) => readonly string[];

export function operationKnownHook(allowedMethods: AllowedMethods): Hook {
  return (request, reply, done) => {
    if (!request.is404 && !hasEmptySegment(request.params)) return done();
    presentUnknownOperation(reply.raw, allowedMethods(rawPathOf(request.raw.url ?? '/')));
  };
}

/** Methods of the contract's operations. */
export function operationMethods(rawPath: string): readonly string[] {
  const match = matchOperation('', rawPath);
  return match.found === 'path' ? match.allowedMethods : [];
}

/** The router takes an empty segment for a propertyId; the contract does not. */
export function hasEmptySegment(params: unknown): boolean {
  for (const name in params as Record<string, string>) {
    if ((params as Record<string, string>)[name] === '') return true;
  }
  return false;
}
