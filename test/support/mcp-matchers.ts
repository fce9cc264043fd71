import { expect } from '@jest/globals';
import { mcpMatchers, type McpMatchers } from 'nestjs-mcp/testing';

declare module 'expect' {
  // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars
  interface Matchers<R extends void | Promise<void>, T = unknown> extends McpMatchers<R> {}
}

expect.extend(mcpMatchers);
