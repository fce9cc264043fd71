import { type Check, fail, flag } from '../checks/option-checks.js';
import { optionGroup } from '../checks/option-group.js';

/**
 * A `TracerProvider` of `@opentelemetry/api`, with the methods that are used. The package is loaded only if a provider
 * is configured.
 */
export interface TracerProvider {
  getTracer(name: string, version?: string): unknown;
}

/** A `MeterProvider` of `@opentelemetry/api`, with the methods that are used. */
export interface MeterProvider {
  getMeter(name: string, version?: string): unknown;
}

/** A value that telemetry is about to record, for {@link TelemetryOptions.redact}. */
export interface CapturedValue {
  /** Whether it is the arguments, the result, or the URI of the resource. */
  readonly kind: 'arguments' | 'result' | 'target';
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
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
  /** Records the arguments of tools and prompts on spans. They may be secret. @default false */
  readonly captureArguments?: boolean | undefined;
  /** Records the results of tools on spans. They may be secret. @default false */
  readonly captureResults?: boolean | undefined;
  /**
   * Records the ids of sessions on spans, instead of fingerprints. On a server without tokens, anyone who knows an id
   * can use the session.
   * @default false
   * @see docs/telemetry.md, "Sessions"
   */
  readonly captureSessionIds?: boolean | undefined;
  /**
   * Returns the part of the arguments or the result to record, or the URI of a resource as it is recorded. `undefined`
   * records nothing. It gets values without the credentials of URLs.
   * @default as it is, without the credentials of URLs
   */
  readonly redact?: ((value: unknown, captured: CapturedValue) => unknown) | undefined;
}

/** Checks a tracer provider. */
export const tracerProvider: Check = (option, value) => {
  if (typeof (value as { getTracer?: unknown } | null)?.getTracer !== 'function') {
    fail(option, 'must be a "TracerProvider" of "@opentelemetry/api"');
  }
};

const meterProvider: Check = (option, value) => {
  if (typeof (value as { getMeter?: unknown } | null)?.getMeter !== 'function') {
    fail(option, 'must be a "MeterProvider" of "@opentelemetry/api"');
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
