/**
 * A `TracerProvider` of `@opentelemetry/api`, as far as types need to know it: the package is loaded only if one is
 * configured.
 */
export interface TracerProvider {
  getTracer(name: string, version?: string): unknown;
}

/** A `MeterProvider` of `@opentelemetry/api`, as far as types need to know it. */
export interface MeterProvider {
  getMeter(name: string, version?: string): unknown;
}
