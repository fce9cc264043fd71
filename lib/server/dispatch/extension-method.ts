import { SerializedResult } from '../../core/protocol/outbound-message.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { limitTime } from '../methods/time-limit.js';
import type { ExtensionMethod } from './extension.interface.js';

/**
 * Makes an extension's method one of the server's, open to clients that declared the extension.
 *
 * @param timeoutMs how long it may take, unless it lasts; no limit by default
 */
export function buildExtensionMethod(id: string, extension: ExtensionMethod, timeoutMs?: number): McpMethod {
  const { method, isGated = true, isLasting = false } = extension;
  const limitMs = isLasting ? undefined : timeoutMs;
  const isGatedFor = typeof isGated === 'boolean' ? () => isGated : isGated;
  return {
    method,
    handle: async (context) => {
      if (isGatedFor(context)) assertDeclared(id, context);
      // A lasting request has no time limit.
      const memory = isLasting ? context.memory?.passOn() : undefined;
      try {
        const result = await limitTime(context, limitMs, () => extension.handle(context));
        // What is kept for many requests is serialised already.
        return (result as unknown) instanceof SerializedResult ? result : { ...result };
      } finally {
        memory?.release();
      }
    },
  };
}

/** In a session, the client learned at the handshake what it may use. On the stateless wire, the answer names what is missing. */
function assertDeclared(id: string, context: RequestContext): void {
  if (context.hasExtension(id)) return;
  if (context.revision.kind === 'handshake') throw McpError.methodNotFound(context.method);
  throw McpError.missingCapability({ extensions: { [id]: {} } });
}
