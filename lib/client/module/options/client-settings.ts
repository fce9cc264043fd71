import type { ClientCapabilities } from '@modelcontextprotocol/client';
import {
  MAXIMUM_RESPONSE_BYTES,
  MORE_BYTES,
  type ResponseLimit,
} from '../../../core/network/limited-fetch.js';
import { isTelemetryWanted } from '../../../core/telemetry/is-telemetry-wanted.js';
import type { TelemetryOptions } from '../../../core/telemetry/telemetry-options.interface.js';
import type { LoggedCaller } from '../../../core/log/format-facts.js';
import type {
  CallerClientsOptions,
  FollowTasksOptions,
  HttpClientOptions,
  McpClientOptions,
  ReconnectOptions,
  StdioClientOptions,
} from './mcp-client-options.interface.js';

/** Every member, with a value. */
type Settled<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> };

/** The options of a client with every default filled in. */
export interface ClientSettings {
  readonly name: string;
  readonly server: HttpClientOptions | StdioClientOptions;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly negotiation: 'auto' | 'legacy' | { readonly pin: string };
  readonly timeoutMs: number;
  readonly limitWaitMs: number;
  readonly responseLimit: ResponseLimit;
  readonly connectOnStart: boolean;
  readonly reconnect: Settled<ReconnectOptions>;
  /** Absent if the client knows no tasks. */
  readonly tasks: Settled<FollowTasksOptions> | undefined;
  readonly callers: Settled<CallerClientsOptions>;
  /** The caller for whom the client acts. @default the application */
  readonly caller?: LoggedCaller | undefined;
  /** Absent if nothing is recorded. */
  readonly telemetry: TelemetryOptions | undefined;
}

/** Fills defaults in. */
export function buildClientSettings(name: string, options: McpClientOptions): ClientSettings {
  const { capabilities = {}, clientInfo = { name, version: '0.0.0' }, negotiation = 'auto' } = options;
  const {
    timeoutMs = 60_000,
    limitWaitMs = 0,
    maximumResponseBytes = MAXIMUM_RESPONSE_BYTES,
    connectOnStart = false,
    reconnect,
    tasks,
    telemetry,
  } = options;
  return {
    name,
    server: options,
    capabilities,
    clientInfo,
    negotiation,
    timeoutMs,
    limitWaitMs,
    responseLimit: { maximumBytes: maximumResponseBytes, remedy: MORE_BYTES },
    connectOnStart,
    reconnect: reconnect === false ? buildSingleAttempt(timeoutMs) : buildReconnect(reconnect),
    tasks: tasks === false ? undefined : { maximumMs: tasks?.maximumMs ?? 3_600_000 },
    callers: buildCallers('url' in options ? options.callers : undefined),
    telemetry: isTelemetryWanted(telemetry) ? telemetry : undefined,
  };
}

/** Connecting takes a request or two. Each may use the whole time-out. */
function buildSingleAttempt(timeoutMs: number): ClientSettings['reconnect'] {
  return { initialDelayMs: 0, maximumDelayMs: 0, maximumAttempts: 1, waitMs: timeoutMs * 2 };
}

function buildReconnect(options: ReconnectOptions = {}): ClientSettings['reconnect'] {
  const { initialDelayMs = 250, maximumDelayMs = 30_000, maximumAttempts = 10, waitMs = 10_000 } = options;
  return { initialDelayMs, maximumDelayMs, maximumAttempts, waitMs };
}

function buildCallers({ maximum = 100, idleTimeoutMs = 600_000 }: CallerClientsOptions = {}) {
  return { maximum, idleTimeoutMs };
}
