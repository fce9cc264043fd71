import type { Attributes, Context, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { FaultLogger } from '../log/log-fault.js';
import { Observers } from '../log/observers.js';
import { CapturedValues } from './captured-values.js';
import { createOperationDurations, createSessionDurations, type Recorder, type Side } from './durations.js';
import { GuardedMeter } from './guarded-meter.js';
import { importTelemetryApi, type TelemetryApi } from './import-api.js';
import { Operation, type OperationRecorder } from './operation.js';
import {
  describeOperation,
  describeSession,
  findTarget,
  nameSpan,
  type OperationFacts,
  type SessionFacts,
} from './operation-facts.js';
import type { TelemetryOptions } from './telemetry-options.js';
import { Tracing, type RecordedSpan } from './tracing.js';

/** What loading needs. */
export interface LoadingMeans {
  /** Makes the error that is thrown if the package for spans is not installed. */
  readonly explain: (needed: string, cause: unknown) => Error;
  /** Gets a line if a provider fails. */
  readonly logger: FaultLogger;
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
  readonly meter: GuardedMeter | undefined;
  readonly captured: CapturedValues;
  /** Whether spans have the ids of sessions, instead of fingerprints. */
  readonly capturesSessionIds: boolean;
  readonly #sessions: Recorder | undefined;
  /** A server may also ask its client, and a client may be asked. */
  readonly #durations: { readonly [Kind in SpanPlace['kind']]?: Recorder } = {};

  private constructor(
    side: Side,
    options: TelemetryOptions,
    { api, observers }: { readonly api: TelemetryApi | undefined; readonly observers: Observers },
  ) {
    const { tracerProvider, meterProvider } = options;
    if (tracerProvider !== undefined && api !== undefined) {
      this.tracing = new Tracing(api, tracerProvider, observers);
    }
    if (meterProvider !== undefined) {
      const meter = new GuardedMeter(meterProvider, observers);
      this.meter = meter;
      this.#sessions = createSessionDurations(meter, side);
      this.#durations = {
        client: createOperationDurations(meter, 'client'),
        server: createOperationDurations(meter, 'server'),
      };
    }
    this.capturesSessionIds = options.captureSessionIds === true;
    this.captured = new CapturedValues(options, observers);
  }

  /**
   * Loads what spans are made with, if they are wanted.
   */
  static async load(
    side: Side,
    options: TelemetryOptions,
    { explain, logger }: LoadingMeans,
  ): Promise<Telemetry> {
    const isTraced = options.tracerProvider !== undefined;
    const api = isTraced ? await importTelemetryApi(explain) : undefined;
    return new Telemetry(side, options, { api, observers: new Observers(logger) });
  }

  /** Begins an operation. */
  start(facts: OperationFacts, place: SpanPlace): Operation {
    const span = this.tracing && this.#startSpan(this.tracing, facts, place);
    return new Operation(this, facts, span, this.#durations[place.kind]);
  }

  /** Records how long a session was, in seconds. */
  recordSession(seconds: number, session: SessionFacts): void {
    this.#sessions?.record(seconds, describeSession(session));
  }

  /** Describes an operation on its span. */
  describe(facts: OperationFacts): Attributes {
    const attributes = describeOperation(facts);
    const target = findTarget(facts);
    if (target === undefined) return attributes;
    const { captured } = this;
    return Object.assign(
      attributes,
      captured.describeTarget(facts, target),
      captured.describeArguments(facts, target),
    );
  }

  #startSpan(
    tracing: Tracing,
    facts: OperationFacts,
    { kind, parent = tracing.active, links }: SpanPlace,
  ): RecordedSpan | undefined {
    const options: SpanOptions = { kind: selectKind(tracing.api, kind), attributes: this.describe(facts) };
    if (links !== undefined && links.length > 0) options.links = links.map((context) => ({ context }));
    return tracing.start(nameSpan(facts), options, parent);
  }
}

function selectKind({ SpanKind }: TelemetryApi, kind: SpanPlace['kind']): number {
  if (kind === 'internal') return SpanKind.INTERNAL;
  return kind === 'client' ? SpanKind.CLIENT : SpanKind.SERVER;
}
