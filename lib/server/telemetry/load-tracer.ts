import type * as TraceApi from '@opentelemetry/api';
import { isAbsent } from '../../core/package/is-absent.js';
import { readOwnPackage } from '../../core/package/own-package.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import type { TracerProvider } from '../settings/tracer.interface.js';

/** What spans are made with. */
export interface LoadedTracer {
  readonly api: typeof TraceApi;
  readonly tracer: TraceApi.Tracer;
}

/**
 * Loads the package that spans are made with, which nobody needs who does not trace, and gets a tracer of the provider.
 *
 * @param option the option that names the provider
 * @throws {McpConfigurationError} where `@opentelemetry/api` is not installed
 */
export async function loadTracer(provider: TracerProvider, option: string): Promise<LoadedTracer> {
  const api = await importApi(option);
  const { name, version } = readOwnPackage();
  return { api, tracer: provider.getTracer(name, version) as TraceApi.Tracer };
}

async function importApi(option: string): Promise<typeof TraceApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    const expected = 'needs a package that is not installed: run "npm install @opentelemetry/api"';
    throw new McpConfigurationError(option, expected, { cause });
  }
}
