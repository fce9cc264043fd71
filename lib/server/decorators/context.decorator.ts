import { addParameterMetadata, ParameterKind } from './parameter-metadata.js';

/**
 * Gives a parameter the context of the call. Pipes do not see it.
 *
 * @example
 * class TicketTools { @Tool()
 *   export(@Context() context: McpContext) {
 *     context.progress(1, 2);
 *   }
 * }
 */
export function Context(): ParameterDecorator {
  return addParameterMetadata(ParameterKind.Context, { pipes: [] });
}
