import { type Check, fail, flag } from '../checks/option-checks.js';
import { optionGroup } from '../checks/option-group.js';

/**
 * A `TracerProvider` from `@opentelemetry/api`, with the methods that are used. The package is loaded only if a
 * provider is configured.
 */
export interface TracerProvider {
  getTracer(name: string, version?: string): unknown;
}

/** A `MeterProvider` from `@opentelemetry/api`, with the methods that are used. */
export interface MeterProvider {
  getMeter(name: string, version?: string): unknown;
}

/** A value that telemetry is about to record, for {@link TelemetryOptions.redact}. */
export interface CapturedValue {
  /** Whether it is the arguments, the result, or the resource URI. */
  readonly kind: 'arguments' | 'result' | 'target';
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool or prompt, or the resource URI. */
  readonly target: string;
}

/**
 * What OpenTelemetry records, and where. Without a provider, nothing is loaded and nothing is recorded.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol
 */
export interface TelemetryOptions {
  /** Records spans. @default none */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Records metrics. @default none */
  readonly meterProvider?: MeterProvider | undefined;
  /** Records tool and prompt arguments on spans. They may be secret. @default false */
  readonly captureArguments?: boolean | undefined;
  /** Records tool results on spans. They may be secret. @default false */
  readonly captureResults?: boolean | undefined;
  /**
   * Records session ids on spans instead of fingerprints. On a server without tokens, anyone who knows an id can use
   * the session.
   * @default false
   * @see docs/telemetry.md, "Sessions"
   */
  readonly captureSessionIds?: boolean | undefined;
  /**
   * Returns the part of the arguments or the result to record, or the form of a resource URI to record. `undefined`
   * records nothing. It receives values with credentials removed from URLs.
   * @default the value itself, without URL credentials
   */
  readonly redact?: ((value: unknown, captured: CapturedValue) => unknown) | undefined;
}

/** Checks a tracer provider. */
export const tracerProvider: Check = (option, value) => {
  if (typeof (value as { getTracer?: unknown } | null)?.getTracer !== 'function') {
    fail(option, 'must be a "TracerProvider" from "@opentelemetry/api"');
  }
};

const meterProvider: Check = (option, value) => {
  if (typeof (value as { getMeter?: unknown } | null)?.getMeter !== 'function') {
    fail(option, 'must be a "MeterProvider" from "@opentelemetry/api"');
  }
};

const redactor: Check = (option, value) => {
  if (typeof value !== 'function') fail(option, 'must be a function that returns what to record instead');
};

/** The telemetry options of servers and clients. */
export const TELEMETRY = optionGroup<TelemetryOptions, 'tracerProvider' | 'meterProvider' | 'redact'>({
  tracerProvider,
  meterProvider,
  captureArguments: [flag, false],
  captureResults: [flag, false],
  captureSessionIds: [flag, false],
  redact: redactor,
});

/** Returns whether the application records any telemetry. */
export function isTelemetryWanted(options: TelemetryOptions | undefined): options is TelemetryOptions {
  return options?.tracerProvider !== undefined || options?.meterProvider !== undefined;
}
