import type { Tracer } from '@opentelemetry/api';
import { readOwnPackage } from '../../core/package/own-package.js';
import { importTelemetryApi, type TelemetryApi } from '../../core/telemetry/import-api.js';
import type { TracerProvider } from '../../core/telemetry/providers.interface.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';

/** The parts that create spans. */
export interface LoadedTracer {
  readonly api: TelemetryApi;
  readonly tracer: Tracer;
}

/**
 * Loads the package for spans, which only tracing needs, and gets a tracer of the provider.
 *
 * @param option the option that names the provider
 * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
 */
export async function loadTracer(provider: TracerProvider, option: string): Promise<LoadedTracer> {
  const api = await importTelemetryApi(
    (expected, cause) => new McpConfigurationError(option, expected, { cause }),
  );
  const { name, version } = readOwnPackage();
  return { api, tracer: provider.getTracer(name, version) as Tracer };
}
