import type { AppOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method an app: a page that hosts show beside the conversation. A tool shows its results in the app that
 * its option `ui` names.
 *
 * The method is called with `{ uri, html }` and the context. It returns the page as text or bytes, or a promise or an
 * Observable of it. If the app has a `file` or a `directory`, `html` is the page from there; if the method returns nothing,
 * that page is the answer.
 *
 * @throws {TypeError} if it is on anything except an instance method
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
