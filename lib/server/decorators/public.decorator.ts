import { addAccessMetadata } from './access-metadata.js';

/**
 * Lets a handler, or every handler of a class, be called without a token on a server that asks for one.
 *
 * If a server has such a handler, callers without a token can initialize and see its lists.
 *
 * @example
 * class HelpTools { @Tool({ description: 'Tells the opening hours' }) @Public()
 *   hours() {
 *     return 'Monday to Friday, 9 to 17';
 *   }
 * }
 */
export function Public(): ClassDecorator & MethodDecorator {
  return addAccessMetadata((present) => ({ ...present, isPublic: true }));
}
