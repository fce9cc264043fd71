/**
 * A `TracerProvider` of `@opentelemetry/api`, with the methods that are used. The package is loaded only if a provider
 * is configured.
 */
export interface TracerProvider {
  getTracer(name: string, version?: string): unknown;
}

/** A `MeterProvider` of `@opentelemetry/api`, with the methods that are used. */
export interface MeterProvider {
  getMeter(name: string, version?: string): unknown;
}
