import type { Attributes } from '@opentelemetry/api';
import { Attribute } from './attribute-names.js';
import { truncate } from './bound-text.js';
import type { CapturedValues } from './captured-values.js';
import type { Recorder } from './durations.js';
import { describeSeries, type OperationFacts } from './operation-facts.js';
import { SUCCESS, type Outcome } from './outcome.js';
import type { RecordedSpan, Tracing } from './tracing.js';

/** Records operations. */
export interface OperationRecorder {
  readonly tracing: Pick<Tracing, 'runIn'> | undefined;
  readonly captured: CapturedValues;
}

/** Facts that are known only during an operation. */
export type LateFacts = Pick<OperationFacts, 'version' | 'session'>;

const NOTHING: LateFacts = Object.freeze({});

/** One request or notification that is under way. */
export class Operation {
  readonly #startedAt = performance.now();
  #hasEnded = false;

  constructor(
    private readonly recorder: OperationRecorder,
    readonly facts: OperationFacts,
    /** Absent if no spans are recorded. */
    readonly span: RecordedSpan | undefined,
    /** Absent if its duration is not recorded. */
    private readonly durations: Recorder | undefined,
  ) {}

  /** Runs a function as part of the operation: spans that are started in it are its children. */
  run<Result>(act: () => Result): Result {
    const { tracing } = this.recorder;
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
   * @param findResult returns the result, to be recorded
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
        const result = this.recorder.captured.describeResult(this.facts, findResult);
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
