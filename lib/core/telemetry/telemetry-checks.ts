import { fail, flag, type Check, type Checks } from '../checks/option-checks.js';

/** Checks what gives tracers. */
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
  if (typeof value !== 'function') fail(option, 'must be a function that gives what to record instead');
};

/** Checks what is recorded with OpenTelemetry, on both sides. */
export const TELEMETRY_CHECKS: Checks = {
  tracerProvider,
  meterProvider,
  captureArguments: flag,
  captureResults: flag,
  captureSessionIds: flag,
  redact: redactor,
};
