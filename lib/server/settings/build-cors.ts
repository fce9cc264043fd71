import type { CorsOptions, McpOptions } from './mcp-options.interface.js';

/** Fills the defaults of cross-origin requests in. Returns `undefined` if there are none. */
export function buildCors(cors: McpOptions['cors']): Required<CorsOptions> | undefined {
  if (cors === undefined || cors === false) return undefined;
  const { origins, maxAgeSeconds = 600 }: CorsOptions = cors === true ? { origins: ['*'] } : cors;
  return { origins, maxAgeSeconds };
}
