import type { AppOptions } from '../settings/handler-options.interface.js';
import { addHandlerMetadata } from './handler-metadata.js';

/**
 * Makes a provider's method an app: a page that hosts show beside the conversation. A tool names the app for its
 * results in the option `ui`.
 *
 * The method is called with `{ uri, html }` and the context. It returns the page as text or bytes, or a promise or an
 * Observable of it. If the app has a `file` or a `directory`, `html` is the page from there. If the method returns
 * nothing, the answer is that page.
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
