import type { Tool } from '@modelcontextprotocol/client';
import {
  ToolError,
  type CallToolResult,
  type CompletionArguments,
  type DynamicHandler,
  type GetPromptResult,
  type ReadResourceResult,
  type ToolDefinition,
} from '../../index.js';
import { isInputRequired } from '../../core/protocol/input-requests.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { EntryNames } from '../entries/entry-names.js';
import type { ServerCalls } from './server-calls.js';

type Arguments = { readonly [name: string]: unknown };

/** Creates the handlers of one server's entries, which forward calls to the server. */
export class EntryHandlers {
  constructor(
    private readonly server: string,
    private readonly calls: ServerCalls,
    private readonly names: EntryNames,
  ) {}

  createTool(tool: ToolDefinition): DynamicHandler<Arguments> {
    const isStructured = tool.outputSchema !== undefined;
    return async (args, context) => {
      const result = await this.calls.forward(context, (client, options) => {
        const forward = { ...options.forward, tool: tool as Tool };
        // The caller's task belongs to the gateway, which polls the server's task if there is one.
        return client.callTool(tool.name, args, { ...options, forward, ...(context.task && { task: true }) });
      });
      return isInputRequired(result) ? result : this.#buildToolResult(result as CallToolResult, isStructured);
    };
  }

  /** Creates the handler for a rejected tool. */
  createRefusal(reason: string): DynamicHandler<unknown> {
    return () => {
      throw new ToolError(reason);
    };
  }

  createResource(): DynamicHandler<{ readonly uri: string }> {
    return async ({ uri }, context) => {
      const own = this.names.parseUri(uri);
      const result = await this.calls.forward(context, (client, options) =>
        client.readResource(own, options),
      );
      if (isInputRequired(result)) return result;
      const { contents, _meta } = result as ReadResourceResult;
      return { contents: contents.map((one) => this.names.rewriteContents(one)), ...(_meta && { _meta }) };
    };
  }

  createPrompt(name: string): DynamicHandler<{ readonly [argument: string]: string }> {
    return async (args, context) => {
      const result = await this.calls.forward(context, (client, options) =>
        client.getPrompt(name, args, options),
      );
      if (isInputRequired(result)) return result;
      const { description, messages, _meta } = result as GetPromptResult;
      return {
        ...(description !== undefined && { description }),
        messages: messages.map((message) => ({
          ...message,
          content: this.names.rewriteBlock(message.content),
        })),
        ...(_meta && { _meta }),
      };
    };
  }

  createCompletion(
    ref: { readonly prompt: string } | { readonly resourceTemplate: string },
  ): DynamicHandler<CompletionArguments> {
    return ({ name, value, arguments: settled }, context) =>
      this.calls.forward(context, (client, { signal }) =>
        client.complete({ ref, argument: { name, value }, settled: selectStrings(settled) }, { signal }),
      );
  }

  #buildToolResult(result: CallToolResult, isStructured: boolean): CallToolResult {
    const { content, structuredContent, isError, _meta } = result;
    if (isStructured && structuredContent === undefined && isError !== true) {
      throw new ToolError(`The server "${this.server}" returned no structured content`);
    }
    return {
      content: this.names.rewriteContent(content),
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError === true && { isError }),
      ...(isObject(_meta) && { _meta }),
    };
  }
}

function selectStrings(values: Arguments): { readonly [name: string]: string } {
  const strings = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(strings);
}
