import type { TelemetryOptions } from './telemetry-options.js';

/** Returns whether the application records any telemetry. */
export function isTelemetryWanted(options: TelemetryOptions | undefined): options is TelemetryOptions {
  return options?.tracerProvider !== undefined || options?.meterProvider !== undefined;
}
