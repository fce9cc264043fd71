import type { AppOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method an app: a page that hosts show beside the conversation, for the results of tools that name it by `ui`.
 *
 * It is called with `{ uri, html }` and the context, and returns the page as text or bytes, or a promise or an Observable of it. `html` is the
 * page of `file` or `directory`, if the app has one; if the method returns nothing, that page is the answer.
 *
 * @throws {TypeError} if it does not stand on an instance method
 * @example
 * // A tool shows it by `ui: 'board'`.
 * class Board { @App({ directory: 'dist/board', csp: { connectDomains: ['https://api.example.com'] } })
 *   board() {}
 * }
 *
 * @see SEP-1865, "UI Resource Format"
 */
export function App(options: AppOptions = {}): MethodDecorator {
  return addHandlerMetadata({ kind: 'app', options });
}
