import { list, notNegative, origin, path, required } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';

/** Options for HTTP+SSE, the 2024-11-05 transport (MCP 2024-11-05 basic/transports, "HTTP with SSE"). */
export interface SseOptions {
  /** The path for its event stream, and for the messages that clients post. @default '/sse' */
  readonly path?: string;
}

/** That transport's default path. */
export const SSE_PATH = '/sse';

export const SSE = optionGroup<SseOptions>({ path: [path, SSE_PATH] });

/** Allows cross-origin requests from browsers (CORS). */
export interface CorsOptions {
  /** The allowed origins, or `*` for any. */
  readonly origins: readonly string[];
  /** How long a browser caches the response to a preflight, in seconds. @default 600 */
  readonly maxAgeSeconds?: number;
}

export const CORS = optionGroup<CorsOptions>({
  origins: required(list(origin), '["https://app.example.com"]'),
  maxAgeSeconds: [notNegative, 600],
});
