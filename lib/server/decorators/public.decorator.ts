import { addAccessMetadata } from './access-metadata.js';

/**
 * Lets callers without a token call a handler, or every handler of a class, on a server that requires tokens.
 *
 * If a server has a public handler, callers without a token can also initialize and see its lists.
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
