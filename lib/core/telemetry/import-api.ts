import type * as Api from '@opentelemetry/api';
import { isAbsent } from '../package/is-absent.js';

/** The package that spans and contexts are made with. */
export type TelemetryApi = typeof Api;

/**
 * Loads the package that spans are made with, which nobody needs who does not trace.
 *
 * @param explain makes the error that is thrown if it is not installed
 */
export async function importTelemetryApi(
  explain: (expected: string, cause: unknown) => Error,
): Promise<TelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    throw explain('needs a package that is not installed: run "npm install @opentelemetry/api"', cause);
  }
}
