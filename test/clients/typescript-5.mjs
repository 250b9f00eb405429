/**
 * Loaded before a generator: whatever it imports as `typescript` is the version 5 beside this file, whose JavaScript
 * API it needs. The root's is version 7, and npm puts the generator beside that.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const url = pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? url : specifier, context),
});
