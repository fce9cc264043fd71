import type { ArgumentsType } from '../building/find-arguments-type.js';
import { formatPlace, type HandlerPlace } from '../catalogue.error.js';

/** Says that nothing describes the arguments that a handler takes. */
export function formatUndescribed(
  place: HandlerPlace,
  undescribed: NonNullable<ArgumentsType['undescribed']>,
  option: string,
): string {
  return undescribed === 'parts'
    ? `${formatPlace(place)} has parameters for parts of the arguments, but nothing says what the arguments are, so it gets none: give "${option}"`
    : `${formatPlace(place)} has a parameter for the arguments, but nothing says what they are, so it gets none: give "${option}", or make a DTO class its type. Put @Context() before it if it is the context, and begin its name with "_" if nothing uses it`;
}

/** Says that a parameter of a handler gets nothing. */
export function formatUnfilled(place: HandlerPlace, index: number): string {
  return `${formatPlace(place)} has no decorator on the parameter at index [${index}], so it gets nothing: put @Context() or @Arguments() before it, or give it a default value`;
}

/** Says that nobody can call a method with decorators for access, because it may hold the scope that somebody relies on. */
export function formatUnserved(method: string): string {
  return `"${method}" says who may call it, and is no handler: add a decorator such as @Tool(), or remove @RequireScope() and @Public()`;
}
