import type { Attributes, Context, Histogram, Span } from '@opentelemetry/api';
import { Attribute } from './attribute-names.js';
import { boundText } from './bound-text.js';
import type { CapturedValues } from './captured-values.js';
import { describeSeries, type OperationFacts } from './operation-facts.js';
import { SUCCESS, type Outcome } from './outcome.js';

/** The span of an operation, and the context in which it is active. */
export interface OperationSpan {
  readonly span: Span;
  readonly context: Context;
}

/** What records operations. */
export interface OperationRecorder {
  readonly captured: CapturedValues | undefined;
  runIn<Result>(context: Context, act: () => Result): Result;
  fail(span: Span, message: string | undefined): void;
}

/** What turns out only while an operation is under way. */
export type Later = Pick<OperationFacts, 'version' | 'session'>;

const NOTHING: Later = Object.freeze({});

/** One request or notification that is under way. */
export class Operation {
  readonly #startedAt = performance.now();
  #hasEnded = false;

  constructor(
    private readonly recorder: OperationRecorder,
    readonly facts: OperationFacts,
    /** Absent if no spans are recorded. */
    readonly traced: OperationSpan | undefined,
    /** Absent if its duration is not recorded. */
    private readonly durations: Histogram | undefined,
  ) {}

  /** Runs a function as part of the operation: spans that are started in it are its children. */
  run<Result>(act: () => Result): Result {
    return this.traced === undefined ? act() : this.recorder.runIn(this.traced.context, act);
  }

  /** Sets an attribute of the span. */
  set(name: string, value: string | number): void {
    this.traced?.span.setAttribute(name, value);
  }

  /**
   * Ends the operation, once, with what came of it.
   *
   * @param later what turned out only meanwhile
   * @param findResult returns the result, to be recorded
   */
  end(outcome: Outcome, later: Later = NOTHING, findResult?: () => unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#measure(outcome, later);
    if (this.traced === undefined) return;
    const { span } = this.traced;
    if (span.isRecording()) {
      this.#describe(span, outcome, later);
      if (findResult !== undefined && outcome.errorType === undefined) {
        const result = this.recorder.captured?.describeResult(this.facts, findResult);
        if (result !== undefined) span.setAttributes(result);
      }
    }
    span.end();
  }

  #measure(outcome: Outcome, { version = this.facts.version }: Later): void {
    if (this.durations === undefined) return;
    const series = describeSeries(this.facts, version);
    describeOutcome(series, outcome);
    this.durations.record((performance.now() - this.#startedAt) / 1000, series, this.traced?.context);
  }

  #describe(span: Span, outcome: Outcome, { session, version }: Later): void {
    if (session !== undefined) span.setAttribute(Attribute.sessionId, session);
    if (version !== undefined) span.setAttribute(Attribute.protocolVersion, version);
    if (outcome === SUCCESS) return;
    const attributes: Attributes = {};
    describeOutcome(attributes, outcome);
    span.setAttributes(attributes);
    if (outcome.errorType !== undefined) this.recorder.fail(span, outcome.message);
  }
}

function describeOutcome(attributes: Attributes, { errorType, statusCode }: Outcome): void {
  if (errorType !== undefined) attributes[Attribute.errorType] = boundText(errorType);
  if (statusCode !== undefined) attributes[Attribute.statusCode] = String(statusCode);
}
