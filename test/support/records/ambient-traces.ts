import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { AsyncContextManager } from './async-context-manager.js';
import { RecordedTraces } from './recorded-traces.js';

/**
 * Registers a context manager and a tracer provider for the tests of a block, as the SDK of an application does; gives what is recorded
 * by that provider in one test.
 *
 * @example
 * describe('Telemetry', () => {
 *   const ambient = recordAmbientTraces();
 * });
 */
export function recordAmbientTraces(): RecordedTraces {
  const ambient = new RecordedTraces();
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncContextManager());
    trace.setGlobalTracerProvider(ambient.provider);
  });
  beforeEach(() => ambient.clear());
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  return ambient;
}
