import { formatPlace, type HandlerPlace } from '../catalogue.error.js';
import type { ArgumentsType } from './find-arguments-type.js';

/**
 * Says that nothing describes the arguments of a method that takes some. Returns `undefined` if something does, or if it
 * takes none.
 *
 * @param option what would describe them
 */
export function describeUntold(
  place: HandlerPlace,
  { undescribed, untold }: ArgumentsType,
  option: string,
): string | undefined {
  if (undescribed === undefined) return undefined;
  if (undescribed === 'parts') {
    return `${formatPlace(place)} has parameters for parts of the arguments, but nothing says what the arguments are, so it gets none: give "${option}"`;
  }
  if (untold !== undefined) {
    return `The parameter of "${place.className}.${place.methodName}" is of the class "${untold}", which has no decorators of class-validator, so it gets no arguments: decorate its members, or give "${option}"`;
  }
  return `${formatPlace(place)} has a parameter for the arguments, but nothing says what they are, so it gets none: give "${option}", or make a DTO class its type. Put @Context() before it if it is the context, and begin its name with "_" if nothing uses it`;
}
