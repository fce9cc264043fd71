/**
 * How a client stands with its server: `idle` before its first use and after attempts in vain, `closed` for good.
 */
export type McpClientState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'closed';
