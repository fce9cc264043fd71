import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import type { ExtensionMethod } from './extension.interface.js';

/** Makes an extension's method one of the server's, open to clients that declared the extension. */
export function buildExtensionMethod(id: string, extension: ExtensionMethod): McpMethod {
  const { method, isGated = true } = extension;
  const isGatedFor = typeof isGated === 'boolean' ? () => isGated : isGated;
  return {
    method,
    handle: async (context) => {
      if (isGatedFor(context)) assertDeclared(id, context);
      return { ...(await extension.handle(context)) };
    },
  };
}

/** A client of a session learned at its handshake what there is for it; on the stateless wire it is told what is missing. */
function assertDeclared(id: string, context: RequestContext): void {
  if (context.hasExtension(id)) return;
  if (context.revision.kind === 'handshake') throw McpError.methodNotFound(context.method);
  throw McpError.missingCapability({ extensions: { [id]: {} } });
}
