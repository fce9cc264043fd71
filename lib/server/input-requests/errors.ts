import type { ElicitationPage } from '../context/input-request.interface.js';
import { ToolError } from '../context/tool-errors.js';

/** Thrown if a client's response does not match the input request. */
export class InvalidAnswerError extends ToolError {
  constructor(
    readonly method: string,
    /** The problem with the response. */
    readonly explanation: string,
  ) {
    super(`The client's answer to "${method}" is not valid: ${explanation}`);
  }
}

/** Thrown if a form schema has a property that clients cannot display. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}

/** The maximum number of round trips per call, because clients do not limit them. */
export const MOST_ROUNDS = 32;

/** Thrown if a call still sends input requests after the maximum number of round trips. */
export class RoundLimitError extends ToolError {
  /** @param reason the problem with the last response, if it was invalid */
  constructor(reason?: string) {
    const limit = `The call still needs input after ${MOST_ROUNDS} rounds of input requests, which is the limit`;
    super(reason === undefined ? limit : `${limit}. ${reason}`);
  }
}

/** A page that the user must open before the call can continue. */
export type RequiredPage = Pick<ElicitationPage, 'message' | 'url' | 'elicitationId'>;

/**
 * Ends a call because the user must first do something on a web page, for example connect an account. Throw it from a
 * tool, a prompt or a resource. The client sends the user to the page, and repeats the call afterwards. Keep throwing
 * it until the user has finished.
 *
 * The client receives error -32042 in 2025-11-25, and an `input_required` result in 2026-07-28. If it does not
 * support URL elicitation, the error names the missing capability.
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

  /** @throws {TypeError} if `pages` is empty, or the `url` of a page is not a URL */
  constructor(pages: RequiredPage | readonly RequiredPage[], message = 'The user must open a page first') {
    super(message);
    this.pages = listPages(pages);
    if (this.pages.length === 0) throw new TypeError('"pages" must contain at least one page');
    for (const { url } of this.pages) {
      if (URL.canParse(url)) continue;
      throw new TypeError('"url" must be a URL such as "https://desk.example.com/connect"');
    }
  }
}

function listPages(pages: RequiredPage | readonly RequiredPage[]): readonly RequiredPage[] {
  return 'url' in pages ? [pages] : pages;
}
