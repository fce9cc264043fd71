import type * as Api from '@opentelemetry/api';
import { explainMissingPackage } from '../package/explain-absence.js';

/** The package for spans and contexts. */
export type TelemetryApi = typeof Api;

/**
 * Loads the package for spans, which is needed only for tracing.
 *
 * @param explain creates the error for when it is not installed
 */
export async function importTelemetryApi(
  explain: (needed: string, cause: unknown) => Error,
): Promise<TelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    throw explainMissingPackage('@opentelemetry/api', cause, (needed) => explain(needed, cause));
  }
}
