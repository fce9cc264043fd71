import { addParameterMetadata, ParameterKind } from './parameter-metadata.js';

/**
 * Passes the context of the call to a parameter. Pipes do not see it.
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
