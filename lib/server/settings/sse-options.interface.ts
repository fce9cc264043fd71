/** Where the transport of 2024-11-05 is (MCP 2024-11-05 basic/transports, "HTTP with SSE"). */
export interface SseOptions {
  /** The path of its stream, and of what is posted beside it. @default '/sse' */
  readonly path?: string;
}
