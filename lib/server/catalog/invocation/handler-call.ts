import type { McpContext } from '../../context/mcp-context.interface.js';
import { showGraphqlContext } from './response/graphql-context.js';
import { HandlerResponse } from './response/handler-response.js';

/** One call of a handler, as Nest's chain takes it along. */
export class HandlerCall {
  #response: HandlerResponse | undefined;
  #graphqlContext: HandlerResponse | undefined;

  constructor(
    /** The arguments of the handler. */
    readonly args: unknown,
    readonly context: McpContext,
  ) {}

  /**
   * The HTTP request of the call; `undefined` on other transports. It is never the arguments: a guard that asks the request
   * for its user would believe whatever the caller wrote.
   */
  get request(): unknown {
    return this.context.http?.request;
  }

  /** What stands in for the HTTP response; made when somebody asks for it. */
  get response(): HandlerResponse {
    return (this.#response ??= new HandlerResponse(this.context, this.request));
  }

  /** The same response, with what GraphQL code reads of its context. */
  get graphqlContext(): HandlerResponse {
    return (this.#graphqlContext ??= showGraphqlContext(this.response));
  }

  /** What stands in for the HTTP response, if somebody has asked for it. */
  get usedResponse(): HandlerResponse | undefined {
    return this.#response;
  }
}
