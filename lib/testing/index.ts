export { McpTestingModule, type TestClientOptions } from './mcp-testing-module.js';
