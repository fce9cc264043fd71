import type { McpMethod } from './mcp-method.interface.js';

/** Shows that the server is there (MCP 2025-11-25 basic/utilities/ping). */
export class PingMethod implements McpMethod {
  readonly method = 'ping';

  handle(): Record<string, never> {
    return {};
  }
}
