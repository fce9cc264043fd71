import type { ModuleMetadata } from '@nestjs/common';
import { McpModule, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import { bootApp, type BootOptions, type RunningApp } from './boot.js';

/** What an application consists of that serves MCP once. */
export type ServerParts = BootOptions &
  ModuleMetadata & {
    /** Options and extras of `McpModule.forRoot()`. @default { serverInfo: { name: 'desk', version: '1.0.0' } } */
    readonly options?: Partial<McpOptions & McpModuleExtras>;
  };

/**
 * Starts an application with one MCP server, which serves the handlers of these providers.
 *
 * @example
 * const desk = await bootServer({ adapter, options: { pageSize: 2 }, providers: [TicketTools] });
 */
export function bootServer({ options, imports = [], ...app }: ServerParts = {}): Promise<RunningApp> {
  const server = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, ...options });
  return bootApp({ ...app, imports: [server, ...imports] });
}
