import type { TracerProvider } from '../../core/telemetry/providers.interface.js';
import { loadTracer, type LoadedTracer } from './load-tracer.js';
import { runSpan } from './run-span.js';

/** Traces how an issuer's keys are got; made only if a tracer provider is configured for it. */
export class KeyFetchTracing {
  private constructor(private readonly loaded: LoadedTracer) {}

  /**
   * Loads the package for traces.
   *
   * @param option the option that names the provider
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(provider: TracerProvider, option: string): Promise<KeyFetchTracing> {
    return new KeyFetchTracing(await loadTracer(provider, option));
  }

  /** Runs a fetch in a span of its own, below the one that is active. A status from 400 on is a failure. */
  async runFetch<Result extends { readonly status: number }>(
    url: string,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const { context, SpanKind } = this.loaded.api;
    const attributes = { 'http.request.method': 'GET', 'url.full': withoutSecrets(url) };
    const span = {
      name: 'auth.jwks_fetch',
      kind: SpanKind.CLIENT,
      attributes,
      parent: context.active(),
      act,
      findFailure: ({ status }: Result) => (status < 400 ? undefined : `answered with status ${status}`),
    };
    return runSpan(this.loaded, span);
  }
}

/** What stands in a query or before the host may be a secret. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
