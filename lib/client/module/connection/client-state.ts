/**
 * The state of a client: `idle` before its first use and after it has given up connecting, `closed` for good.
 */
export type McpClientState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'closed';
