import { Injectable } from '@nestjs/common';
import type { McpMethod } from './mcp-method.interface.js';

/** Shows that the server is there (MCP 2025-11-25 basic/utilities/ping). */
@Injectable()
export class PingMethod implements McpMethod {
  readonly method = 'ping';

  handle(): Record<string, never> {
    return {};
  }
}
