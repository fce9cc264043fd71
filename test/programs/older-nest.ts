/** Has a program find the Nest 11 of `test/nest-11`, where it imports Nest. To be registered before anything of Nest is loaded. */
import type { ResolveHook } from 'node:module';

const OLDER = new URL('../../../test/nest-11/package.json', import.meta.url).href;

export const resolve: ResolveHook = (specifier, context, next) =>
  next(specifier, specifier.startsWith('@nestjs/') ? { ...context, parentURL: OLDER } : context);
