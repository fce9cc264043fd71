import type { ElicitationPage } from '../context/input-request.interface.js';
import { ToolError } from '../context/tool-errors.js';

/** Is thrown if a client's answer does not fit the question. */
export class InvalidAnswerError extends ToolError {
  constructor(
    readonly method: string,
    /** What is wrong with the answer. */
    readonly explanation: string,
  ) {
    super(`The client's answer to "${method}" is not valid: ${explanation}`);
  }
}

/** Is thrown if a form has a member that clients cannot show. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}

/** Rounds of one call: no client stops asking by itself. */
export const MOST_ROUNDS = 32;

/** Is thrown if a call is still not complete after as many rounds of questions as it may have. */
export class RoundLimitError extends ToolError {
  /** @param reason what was wrong with the last answer, if anything was */
  constructor(reason?: string) {
    const limit = `The call needs more input after ${MOST_ROUNDS} rounds of questions, which is the limit`;
    super(reason === undefined ? limit : `${limit}. ${reason}`);
  }
}

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
