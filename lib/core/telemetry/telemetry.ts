import type {
  Attributes,
  Context,
  Histogram,
  Meter,
  Span,
  SpanContext,
  SpanOptions,
  Tracer,
} from '@opentelemetry/api';
import { readOwnPackage } from '../package/own-package.js';
import { boundText } from './bound-text.js';
import { CapturedValues } from './captured-values.js';
import { createOperationDurations, createSessionDurations, type Side } from './durations.js';
import { importTelemetryApi, type TelemetryApi } from './import-api.js';
import { Operation, type OperationRecorder, type OperationSpan } from './operation.js';
import {
  describeOperation,
  describeSession,
  nameSpan,
  type OperationFacts,
  type SessionFacts,
} from './operation-facts.js';
import type { TelemetryOptions } from './telemetry-options.interface.js';
import { TraceContext } from './trace-context.js';

/** The parts that create spans. */
export interface Tracing {
  readonly api: TelemetryApi;
  readonly tracer: Tracer;
  readonly contexts: TraceContext;
}

/** Where the span of an operation stands. */
export interface SpanPlace {
  /** `internal` is what runs apart from any message: no duration of a message is recorded of it. */
  readonly kind: 'client' | 'server' | 'internal';
  /** The context whose span is the parent, if it has one. @default the one that is active */
  readonly parent?: Context | undefined;
  readonly links?: readonly SpanContext[] | undefined;
}

/** Records the operations of one client or server; made only if a provider is configured. */
export class Telemetry implements OperationRecorder {
  /** Absent if no spans are recorded. */
  readonly tracing: Tracing | undefined;
  /** Absent if no metrics are recorded. */
  readonly meter: Meter | undefined;
  readonly captured: CapturedValues | undefined;
  /** Whether spans have the ids of sessions, instead of fingerprints. */
  readonly capturesSessionIds: boolean;
  readonly #sessions: Histogram | undefined;
  /** A server may also ask its client, and a client may be asked. */
  readonly #durations: { readonly [Kind in SpanPlace['kind']]?: Histogram } = {};

  private constructor(side: Side, options: TelemetryOptions, api: TelemetryApi | undefined) {
    const { name, version } = readOwnPackage();
    const { tracerProvider, meterProvider, captureArguments, captureResults } = options;
    if (tracerProvider !== undefined && api !== undefined) {
      const tracer = tracerProvider.getTracer(name, version) as Tracer;
      this.tracing = { api, tracer, contexts: new TraceContext(api) };
    }
    this.meter = meterProvider?.getMeter(name, version) as Meter | undefined;
    if (this.meter !== undefined) {
      const { meter } = this;
      this.#sessions = createSessionDurations(meter, side);
      this.#durations = {
        client: createOperationDurations(meter, 'client'),
        server: createOperationDurations(meter, 'server'),
      };
    }
    this.capturesSessionIds = options.captureSessionIds === true;
    if (captureArguments === true || captureResults === true) this.captured = new CapturedValues(options);
  }

  /**
   * Loads what spans are made with, if they are wanted.
   *
   * @param explain makes the error that is thrown if the package for it is not installed
   */
  static async load(
    side: Side,
    options: TelemetryOptions,
    explain: (needed: string, cause: unknown) => Error,
  ): Promise<Telemetry> {
    const isTraced = options.tracerProvider !== undefined;
    return new Telemetry(side, options, isTraced ? await importTelemetryApi(explain) : undefined);
  }

  /** Begins an operation. */
  start(facts: OperationFacts, place: SpanPlace): Operation {
    const traced = this.tracing && this.#startSpan(this.tracing, facts, place);
    return new Operation(this, facts, traced, this.#durations[place.kind]);
  }

  /** Records how long a session was, in seconds. */
  recordSession(seconds: number, session: SessionFacts): void {
    this.#sessions?.record(seconds, describeSession(session));
  }

  /** Runs a function in a context. */
  runIn<Result>(context: Context, act: () => Result): Result {
    return this.tracing === undefined ? act() : this.tracing.api.context.with(context, act);
  }

  /** Marks a span as one of a failure. */
  fail(span: Span, message: string | undefined): void {
    const { SpanStatusCode } = this.tracing?.api ?? {};
    if (SpanStatusCode === undefined) return;
    span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(message !== undefined && { message: boundText(message) }),
    });
  }

  /** Describes an operation on its span. */
  describe(facts: OperationFacts): Attributes {
    const attributes = describeOperation(facts);
    return this.captured === undefined
      ? attributes
      : Object.assign(attributes, this.captured.describeArguments(facts));
  }

  #startSpan(
    { api, tracer }: Tracing,
    facts: OperationFacts,
    { kind, parent = api.context.active(), links }: SpanPlace,
  ): OperationSpan {
    const options: SpanOptions = { kind: selectKind(api, kind), attributes: this.describe(facts) };
    if (links !== undefined && links.length > 0) options.links = links.map((context) => ({ context }));
    const span = tracer.startSpan(nameSpan(facts), options, parent);
    return { span, context: api.trace.setSpan(parent, span) };
  }
}

function selectKind({ SpanKind }: TelemetryApi, kind: SpanPlace['kind']): number {
  if (kind === 'internal') return SpanKind.INTERNAL;
  return kind === 'client' ? SpanKind.CLIENT : SpanKind.SERVER;
}
