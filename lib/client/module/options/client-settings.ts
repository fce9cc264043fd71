import { MORE_BYTES, type ResponseLimit } from '../../../core/network/limited-fetch.js';
import { isTelemetryWanted, type TelemetryOptions } from '../../../core/telemetry/telemetry-options.js';
import type { LoggedCaller } from '../../../core/log/format-facts.js';
import type { Settings } from '../../../core/checks/option-group.js';
import {
  CALLERS,
  FOLLOW_TASKS,
  RECONNECT,
  SHARED_CLIENT,
  type CallerClientsOptions,
  type FollowTasksOptions,
  type HttpClientOptions,
  type McpClientOptions,
  type ReconnectOptions,
  type SharedClientOptions,
  type StdioClientOptions,
} from './mcp-client-options.js';

/** The client options with all defaults applied. */
export interface ClientSettings extends Pick<
  Settings<SharedClientOptions>,
  'capabilities' | 'clientInfo' | 'negotiation' | 'timeoutMs' | 'limitWaitMs' | 'connectOnStart'
> {
  readonly name: string;
  readonly server: HttpClientOptions | StdioClientOptions;
  readonly responseLimit: ResponseLimit;
  readonly reconnect: Settings<ReconnectOptions>;
  /** Absent if the client does not support tasks. */
  readonly tasks: Settings<FollowTasksOptions> | undefined;
  readonly callers: Settings<CallerClientsOptions>;
  /** The caller on whose behalf the client acts. @default the application */
  readonly caller?: LoggedCaller | undefined;
  /** Absent if nothing is recorded. */
  readonly telemetry: TelemetryOptions | undefined;
}

/** Applies defaults. */
export function buildClientSettings(name: string, options: McpClientOptions): ClientSettings {
  const { maxResponseBytes, reconnect, tasks, telemetry, ...settings } = SHARED_CLIENT.build(options);
  return {
    ...settings,
    clientInfo: settings.clientInfo ?? { name, version: '0.0.0' },
    name,
    server: options,
    responseLimit: { maxBytes: maxResponseBytes, fix: MORE_BYTES },
    reconnect: reconnect === false ? buildSingleAttempt(settings.timeoutMs) : RECONNECT.build(reconnect),
    tasks: tasks === false ? undefined : FOLLOW_TASKS.build(tasks),
    callers: CALLERS.build(options.callers),
    telemetry: isTelemetryWanted(telemetry) ? telemetry : undefined,
  };
}

/** Connecting takes one or two requests, each with the full timeout. */
function buildSingleAttempt(timeoutMs: number): ClientSettings['reconnect'] {
  return { initialDelayMs: 0, maxDelayMs: 0, maxAttempts: 1, waitMs: timeoutMs * 2 };
}
