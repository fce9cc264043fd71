import type { Tracing } from '../../core/telemetry/tracing.js';
import { loadTracer, type GivenTracer } from './load-tracer.js';
import { runSpan } from './run-span.js';

/** Traces how an issuer's keys are got; made only if a tracer provider is configured for it. */
export class KeyFetchTracing {
  private constructor(private readonly tracing: Tracing) {}

  /**
   * Loads the package for traces.
   *
   * @throws {McpConfigurationError} if `@opentelemetry/api` is not installed
   */
  static async load(given: GivenTracer): Promise<KeyFetchTracing> {
    return new KeyFetchTracing(await loadTracer(given));
  }

  /** Runs a fetch in a span of its own, below the one that is active. A status from 400 on is a failure. */
  async runFetch<Result extends { readonly status: number }>(
    url: string,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const { active, api } = this.tracing;
    const attributes = { 'http.request.method': 'GET', 'url.full': withoutSecrets(url) };
    const span = {
      name: 'auth.jwks_fetch',
      kind: api.SpanKind.CLIENT,
      attributes,
      parent: active,
      act,
      findFailure: ({ status }: Result) => (status < 400 ? undefined : `answered with status ${status}`),
    };
    return runSpan(this.tracing, span);
  }
}

/** What stands in a query or before the host may be a secret. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
