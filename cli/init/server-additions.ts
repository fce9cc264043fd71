import type { ModuleAddition } from '../application/edit-module.js';
import { formatText, type SourceStyle } from '../application/source-style.js';

/** What goes into the root module. */
export interface FirstServer {
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** The class of the first tool, and its import statement. */
  readonly tools: { readonly className: string; readonly from: string };
  /** Whether the application has no server. @default true */
  readonly addsServer?: boolean;
}

/** Builds what adds a server and its first tool to a module. */
export function buildServerAdditions(
  { serverInfo: { name, version }, tools, addsServer = true }: FirstServer,
  style: SourceStyle,
): readonly ModuleAddition[] {
  const info = `{ name: ${formatText(name, style)}, version: ${formatText(version, style)} }`;
  const server = {
    name: 'McpModule',
    from: 'nestjs-mcp',
    list: 'imports',
    element: `McpModule.forRoot({ serverInfo: ${info} })`,
  } as const;
  return [
    ...(addsServer ? [server] : []),
    { name: tools.className, from: tools.from, list: 'providers', element: tools.className },
  ];
}
