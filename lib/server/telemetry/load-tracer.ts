import { Observers } from '../../core/log/observers.js';
import type { FaultLogger } from '../../core/log/log-fault.js';
import { importTelemetryApi } from '../../core/telemetry/import-api.js';
import type { TracerProvider } from '../../core/telemetry/providers.interface.js';
import { Tracing } from '../../core/telemetry/tracing.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';

/** A tracer provider of the application, and where its failures are logged. */
export interface GivenTracer {
  readonly provider: TracerProvider;
  /** The option that names the provider. */
  readonly option: string;
  readonly logger: FaultLogger;
}

/**
 * Loads the package for spans, which only tracing needs.
 *
 * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
 */
export async function loadTracer({ provider, option, logger }: GivenTracer): Promise<Tracing> {
  const api = await importTelemetryApi(
    (expected, cause) => new McpConfigurationError(option, expected, { cause }),
  );
  return new Tracing(api, provider, new Observers(logger));
}
