export { McpGatewayModule, type McpGatewayAsyncOptions } from './mcp-gateway.module.js';
export { McpGateway } from './mcp-gateway.js';
export type { GatewayServerStatus } from './servers/gateway-server.js';
export type { CircuitState } from './servers/circuit-breaker.js';
export type { EntryKind, RefusedEntry } from './entries/offered-entries.js';
export type {
  GatewayCircuitOptions,
  GatewayEntry,
  GatewayEntryChanges,
  GatewayEntrySelection,
  GatewayLimits,
  GatewayModuleExtras,
  GatewayOptions,
  GatewaySelection,
  GatewayServerExtras,
  GatewayServerOptions,
  GatewayToolChanges,
  GatewayToolSelection,
} from './settings/gateway-options.js';
