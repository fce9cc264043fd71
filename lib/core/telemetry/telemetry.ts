import type { Attributes, Context, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { ErrorLogger } from '../log/describe-failure.js';
import { Observers } from '../log/observers.js';
import { CapturedValues } from './captured-values.js';
import {
  createOperationDurations,
  createSessionDurations,
  GuardedMeter,
  type Recorder,
  type Side,
} from './guarded-meter.js';
import {
  Attribute,
  describeOperation,
  describeSeries,
  describeSession,
  findTarget,
  nameSpan,
  type OperationFacts,
  type SessionFacts,
  truncate,
} from './operation-facts.js';
import { type Outcome, SUCCESS } from './outcome.js';
import type { TelemetryOptions } from './telemetry-options.js';
import { importTelemetryApi, type TelemetryApi } from './trace-context.js';
import { type RecordedSpan, Tracing } from './tracing.js';

/** What loading requires. */
export interface LoadOptions {
  /** Creates the error for a missing span package. */
  readonly explain: (needed: string, cause: unknown) => Error;
  /** Logs a provider's failures. */
  readonly logger: ErrorLogger;
}

/** The kind of an operation's span, and its relations to other spans. */
export interface SpanOrigin {
  /** `internal` spans do not belong to a message, so no message duration is recorded. */
  readonly kind: 'client' | 'server' | 'internal';
  /** The parent span's context, if there is one. @default the active context */
  readonly parent?: Context | undefined;
  readonly links?: readonly SpanContext[] | undefined;
}

/** Records a client's or server's operations; created only if a provider is configured. */
export class Telemetry {
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

  /** Loads the span package, if spans are recorded. */
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

/** Facts that are known only during an operation. */
export type LateFacts = Pick<OperationFacts, 'version' | 'session'>;

const NOTHING: LateFacts = Object.freeze({});

/** One request or notification in progress. */
export class Operation {
  readonly #startedAt = performance.now();
  #hasEnded = false;

  constructor(
    private readonly telemetry: Telemetry,
    readonly facts: OperationFacts,
    /** Absent if no spans are recorded. */
    readonly span: RecordedSpan | undefined,
    /** Absent if its duration is not recorded. */
    private readonly durations: Recorder | undefined,
  ) {}

  /** Runs a function as part of the operation, so that spans started in it are its children. */
  run<Result>(act: () => Result): Result {
    const { tracing } = this.telemetry;
    return this.span === undefined || tracing === undefined ? act() : tracing.runIn(this.span.context, act);
  }

  /** Sets an attribute of the span. */
  set(name: string, value: string | number): void {
    this.span?.set({ [name]: value });
  }

  /**
   * Ends the operation, once, with its outcome.
   *
   * @param later facts that became known during the operation
   * @param findResult returns the result to record
   */
  end(outcome: Outcome, later: LateFacts = NOTHING, findResult?: () => unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#measure(outcome, later);
    const { span } = this;
    if (span === undefined) return;
    if (span.isRecording) {
      this.#describe(span, outcome, later);
      if (findResult !== undefined && outcome.errorType === undefined) {
        const result = this.telemetry.captured.describeResult(this.facts, findResult);
        if (result !== undefined) span.set(result);
      }
    }
    span.end();
  }

  #measure(outcome: Outcome, { version = this.facts.version }: LateFacts): void {
    if (this.durations === undefined) return;
    const series = describeSeries(this.facts, version);
    describeOutcome(series, outcome);
    this.durations.record((performance.now() - this.#startedAt) / 1000, series, this.span?.context);
  }

  #describe(span: RecordedSpan, outcome: Outcome, { session, version }: LateFacts): void {
    if (outcome === SUCCESS && session === undefined && version === undefined) return;
    const attributes: Attributes = {};
    if (session !== undefined) attributes[Attribute.sessionId] = session;
    if (version !== undefined) attributes[Attribute.protocolVersion] = version;
    describeOutcome(attributes, outcome);
    span.set(attributes);
    if (outcome.errorType !== undefined) span.fail(outcome.message);
  }
}

function describeOutcome(attributes: Attributes, { errorType, statusCode }: Outcome): void {
  if (errorType !== undefined) attributes[Attribute.errorType] = truncate(errorType);
  if (statusCode !== undefined) attributes[Attribute.statusCode] = String(statusCode);
}
