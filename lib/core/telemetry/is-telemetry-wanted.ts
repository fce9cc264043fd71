import type { TelemetryOptions } from './telemetry-options.js';

/** Tells whether the application wants anything recorded. */
export function isTelemetryWanted(options: TelemetryOptions | undefined): options is TelemetryOptions {
  return options?.tracerProvider !== undefined || options?.meterProvider !== undefined;
}
