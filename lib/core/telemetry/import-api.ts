import type * as Api from '@opentelemetry/api';
import { explainAbsence } from '../package/explain-absence.js';

/** The package that spans and contexts are made with. */
export type TelemetryApi = typeof Api;

/**
 * Loads the package that spans are made with, which nobody needs who does not trace.
 *
 * @param explain makes the error that is thrown if it is not installed
 */
export async function importTelemetryApi(
  explain: (needed: string, cause: unknown) => Error,
): Promise<TelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    throw explainAbsence('@opentelemetry/api', cause, (needed) => explain(needed, cause));
  }
}
