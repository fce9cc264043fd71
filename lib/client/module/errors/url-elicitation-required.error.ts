import type { RequiredElicitation } from '../../../core/protocol/required-elicitations.js';
import { McpClientError } from './mcp-client.error.js';

/**
 * Is thrown if the server cannot serve the request before a user has opened some pages. It has not done what was asked.
 *
 * @see MCP 2025-11-25 client/elicitation, "URL Elicitation Required Error"
 */
export class McpUrlElicitationRequiredError extends McpClientError {
  override readonly name = 'McpUrlElicitationRequiredError';
  readonly code = 'url_elicitation_required';

  constructor(
    client: string,
    /** The pages. Show the user the whole address before you open one. */
    readonly elicitations: readonly RequiredElicitation[],
    cause: unknown,
  ) {
    super(
      client,
      `The server of the client "${client}" wants the user to open a page first: ask the user to open what "elicitations" names, then call again`,
      { cause },
    );
  }
}
