import type { MeterProvider, TracerProvider } from './providers.interface.js';

/** A value that telemetry is about to record of a call, for {@link TelemetryOptions.redact}. */
export interface CapturedValue {
  /** Which side of the call it is. */
  readonly kind: 'arguments' | 'result';
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The tool or prompt. */
  readonly target: string;
}

/**
 * What is recorded with OpenTelemetry, and where it goes. Without a provider nothing is loaded and nothing is recorded.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol
 */
export interface TelemetryOptions {
  /** Records spans. @default none */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Records metrics. @default none */
  readonly meterProvider?: MeterProvider | undefined;
  /** Records on spans what tools and prompts are called with. It may be secret. @default false */
  readonly captureArguments?: boolean | undefined;
  /** Records on spans what tools answer. It may be secret. @default false */
  readonly captureResults?: boolean | undefined;
  /** Records ids of sessions on spans, instead of fingerprints. Without tokens, everybody who knows the id can use the session. @default false */
  readonly captureSessionIds?: boolean | undefined;
  /** Returns what to record of arguments or a result; `undefined` records nothing. @default as it is */
  readonly redact?: ((value: unknown, captured: CapturedValue) => unknown) | undefined;
}
