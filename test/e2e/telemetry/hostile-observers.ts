import { SamplingDecision, BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { TelemetryOptions } from 'nestjs-mcp';

const fail = (): never => {
  throw new Error('the observer is broken');
};

const GOOD: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

const process = (processor: Partial<SpanProcessor>): TelemetryOptions => ({
  tracerProvider: new BasicTracerProvider({ spanProcessors: [{ ...GOOD, ...processor }] }),
});

/** An object all of whose methods throw, and those of what they would give. */
function createBroken(names: readonly string[]): Record<string, () => never> {
  return Object.fromEntries(names.map((name) => [name, fail]));
}

const SPAN = ['spanContext', 'setAttribute', 'setAttributes', 'addEvent', 'addLink', 'addLinks', 'setStatus'];
const REST = ['updateName', 'end', 'isRecording', 'recordException'];
const INSTRUMENT = ['add', 'record', 'addCallback', 'removeCallback'];
const KINDS = ['Histogram', 'Counter', 'UpDownCounter', 'Gauge'];
const METER = [
  ...KINDS.map((kind) => `create${kind}`),
  ...KINDS.map((kind) => `createObservable${kind}`),
  'addBatchObservableCallback',
  'removeBatchObservableCallback',
];

function createInstruments(create: () => unknown): Record<string, () => unknown> {
  return Object.fromEntries(METER.map((name) => [name, create]));
}

/** Providers that do what they must not. Each is asked for anew, since some are used up. */
export const HOSTILE: Readonly<Record<string, () => TelemetryOptions>> = {
  'a processor that throws at the start of spans': () => process({ onStart: fail }),
  'a processor that throws at the end of spans': () => process({ onEnd: fail }),
  'a processor that throws what cannot be read': () =>
    process({
      onEnd: () => {
        throw Object.create(null);
      },
    }),
  'a processor that starts spans without end': () => {
    const provider: BasicTracerProvider = new BasicTracerProvider({
      spanProcessors: [{ ...GOOD, onStart: () => void provider.getTracer('own').startSpan('again') }],
    });
    return { tracerProvider: provider };
  },
  'a sampler that throws': () => ({
    tracerProvider: new BasicTracerProvider({ sampler: { shouldSample: fail, toString: () => 'broken' } }),
  }),
  'a sampler that records, with a processor that throws': () => ({
    tracerProvider: new BasicTracerProvider({
      sampler: { shouldSample: () => ({ decision: SamplingDecision.RECORD }), toString: () => 'all' },
      spanProcessors: [{ ...GOOD, onStart: fail, onEnd: fail }],
    }),
  }),
  'a provider that throws': () => ({
    tracerProvider: createBroken(['getTracer']) as never,
    meterProvider: createBroken(['getMeter']) as never,
  }),
  'providers without tracers and meters': () => ({
    tracerProvider: { getTracer: () => undefined },
    meterProvider: { getMeter: () => undefined },
  }),
  'a tracer that rejects': () => ({
    tracerProvider: { getTracer: () => ({ startSpan: () => Promise.reject(new Error('later')) }) },
  }),
  'spans that throw': () => ({
    tracerProvider: { getTracer: () => ({ startSpan: () => createBroken([...SPAN, ...REST]) }) },
  }),
  'spans that reject': () => ({
    tracerProvider: {
      getTracer: () => ({
        startSpan: () =>
          Object.fromEntries(
            [...SPAN, ...REST].map((name) => [name, () => Promise.reject(new Error('later'))]),
          ),
      }),
    },
  }),
  'a meter that throws': () => ({ meterProvider: { getMeter: () => createBroken(METER) } }),
  'instruments that throw': () => ({
    meterProvider: { getMeter: () => createInstruments(() => createBroken(INSTRUMENT)) },
  }),
  'instruments that reject': () => ({
    meterProvider: {
      getMeter: () =>
        createInstruments(() =>
          Object.fromEntries(INSTRUMENT.map((name) => [name, () => Promise.reject(new Error('later'))])),
        ),
    },
  }),
};
