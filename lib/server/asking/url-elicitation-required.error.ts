import type { ElicitationPage } from '../context/input-request.interface.js';
import { ToolError } from '../context/tool-errors.js';

/** A page that the user must open before the call can continue. */
export type RequiredPage = Pick<ElicitationPage, 'message' | 'url' | 'elicitationId'>;

/**
 * Ends a call until the user has opened a page and finished there, for example to connect an account. Throw it from a
 * tool, a prompt or a resource. The client sends the user to the page, and calls again. Throw it again until the user
 * has finished.
 *
 * In 2025-11-25 the answer is the error -32042, in 2026-07-28 it is `input_required`. A client that cannot open pages is told
 * what it lacks.
 *
 * @example
 * if (account === undefined) {
 *   throw new UrlElicitationRequiredError({ url: this.accounts.connectUrl(sub), message: 'Connect your calendar' });
 * }
 *
 * @see MCP 2025-11-25 client/elicitation, "URL Elicitation Required Error"
 */
export class UrlElicitationRequiredError extends ToolError {
  readonly pages: readonly RequiredPage[];

  /** @throws {TypeError} if there is no page, or the address of one is no URL */
  constructor(pages: RequiredPage | readonly RequiredPage[], message = 'The user has to open a page first') {
    super(message);
    this.pages = listPages(pages);
    if (this.pages.length === 0) throw new TypeError('"pages" must have a page for the user');
    for (const { url } of this.pages) {
      if (URL.canParse(url)) continue;
      throw new TypeError('"url" must be a URL such as "https://desk.example.com/connect"');
    }
  }
}

function listPages(pages: RequiredPage | readonly RequiredPage[]): readonly RequiredPage[] {
  return 'url' in pages ? [pages] : pages;
}
