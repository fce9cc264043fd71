import type { Attributes, Context, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { ErrorLogger } from '../log/log-fault.js';
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

/** What loading requires. */
export interface LoadOptions {
  /** Creates the error for when the package for spans is not installed. */
  readonly explain: (needed: string, cause: unknown) => Error;
  /** Logs the failures of a provider. */
  readonly logger: ErrorLogger;
}

/** The kind of an operation's span, and its relations to others. */
export interface SpanOrigin {
  /** `internal` spans belong to no message, so no message duration is recorded. */
  readonly kind: 'client' | 'server' | 'internal';
  /** The context of the parent span, if there is one. @default the active context */
  readonly parent?: Context | undefined;
  readonly links?: readonly SpanContext[] | undefined;
}

/** Records the operations of a client or server; created only if a provider is configured. */
export class Telemetry implements OperationRecorder {
  /** Absent if no spans are recorded. */
  readonly tracing: Tracing | undefined;
  /** Absent if no metrics are recorded. */
  readonly meter: GuardedMeter | undefined;
  readonly captured: CapturedValues;
  /** Whether spans contain session IDs instead of fingerprints. */
  readonly capturesSessionIds: boolean;
  readonly #sessions: Recorder | undefined;
  /** A server also sends requests to its client, and a client serves them. */
  readonly #durations: { readonly [Kind in SpanOrigin['kind']]?: Recorder } = {};

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

  /** Loads the package for spans, if they are recorded. */
  static async load(
    side: Side,
    options: TelemetryOptions,
    { explain, logger }: LoadOptions,
  ): Promise<Telemetry> {
    const isTraced = options.tracerProvider !== undefined;
    const api = isTraced ? await importTelemetryApi(explain) : undefined;
    return new Telemetry(side, options, { api, observers: new Observers(logger) });
  }

  /** Starts an operation. */
  start(facts: OperationFacts, place: SpanOrigin): Operation {
    const span = this.tracing && this.#startSpan(this.tracing, facts, place);
    return new Operation(this, facts, span, this.#durations[place.kind]);
  }

  /** Records the duration of a session, in seconds. */
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
    { kind, parent = tracing.active, links }: SpanOrigin,
  ): RecordedSpan | undefined {
    const options: SpanOptions = { kind: selectKind(tracing.api, kind), attributes: this.describe(facts) };
    if (links !== undefined && links.length > 0) options.links = links.map((context) => ({ context }));
    return tracing.start(nameSpan(facts), options, parent);
  }
}

function selectKind({ SpanKind }: TelemetryApi, kind: SpanOrigin['kind']): number {
  if (kind === 'internal') return SpanKind.INTERNAL;
  return kind === 'client' ? SpanKind.CLIENT : SpanKind.SERVER;
}
