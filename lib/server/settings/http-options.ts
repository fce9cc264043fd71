import { list, notNegative, origin, path, required } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';

/** Options of the transport of 2024-11-05 (MCP 2024-11-05 basic/transports, "HTTP with SSE"). */
export interface SseOptions {
  /** The path of its event stream, and of the messages that clients post. @default '/sse' */
  readonly path?: string;
}

/** The default path of that transport. */
export const SSE_PATH = '/sse';

export const SSE = optionGroup<SseOptions>({ path: [path, SSE_PATH] });

/** Which browsers may call across origins. */
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
