import type { SpanContext } from '@opentelemetry/api';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { RequestId } from '../../core/protocol/json-rpc.js';
import { Attribute, type OperationFacts } from '../../core/telemetry/operation-facts.js';
import type { LateFacts, Operation, Telemetry } from '../../core/telemetry/telemetry.js';
import { judgeThrown, SUCCESS, type Outcome } from '../../core/telemetry/outcome.js';
import type { CarriedContext } from '../../core/telemetry/trace-context.js';
import { TelemetryName } from './instruments.js';

/** Telemetry for a running request and its input requests to the client. */
export class ObservedCall {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly operation: Operation,
    private readonly countRepair: (tool: string) => void,
  ) {}

  /** The span that others link to; absent if no span is recorded. */
  get spanContext(): SpanContext | undefined {
    return this.operation.span?.spanContext;
  }

  /** The trace context for another process that continues the call; absent if no span is recorded. */
  get carried(): CarriedContext | undefined {
    const { span } = this.operation;
    return span && this.telemetry.tracing?.contexts.carry(span.context);
  }

  run<Result>(act: () => Result): Result {
    return this.operation.run(act);
  }

  end(outcome: Outcome, later?: LateFacts, findResult?: () => unknown): void {
    this.operation.end(outcome, later, findResult);
  }

  /** Records that properties of a tool's arguments were repaired. */
  recordRepair(tool: string, members: number): void {
    this.operation.set(TelemetryName.repairedMembers, members);
    this.countRepair(tool);
  }

  /** Sets a span attribute. */
  set(name: string, value: string): void {
    this.operation.set(name, value);
  }

  /** Records an input request until its response arrives. The request carries the trace context to the client. */
  async recordInputRequest<Answer>(
    request: InputRequest,
    send: (request: InputRequest, onSent: (id: RequestId) => void) => Promise<Answer>,
  ): Promise<Answer> {
    const question = this.#ask(request);
    try {
      const answer = await question.run(() =>
        send(this.#carry(request, question), (id) => question.set(Attribute.requestId, String(id))),
      );
      question.end(SUCCESS);
      return answer;
    } catch (error) {
      question.end(judgeThrown(error));
      throw error;
    }
  }

  /**
   * Records an input request whose response arrives with a later request. Returns the request with the trace context
   * added.
   */
  recordPendingInputRequest(request: InputRequest): InputRequest {
    const question = this.#ask(request);
    const carried = this.#carry(request, question);
    // The duration is unknown here: the response arrives with a new request, in any process.
    question.span?.end();
    return carried;
  }

  #ask({ method, params }: InputRequest): Operation {
    const { version, session, network } = this.operation.facts;
    const facts = { method, params, version, session, network } as OperationFacts;
    return this.telemetry.start(facts, { kind: 'client', parent: this.#findParent() });
  }

  /** The handler's active span is the parent. Without a context manager, no span is active. */
  #findParent() {
    const { tracing } = this.telemetry;
    const active = tracing?.active;
    const isTraced = active !== undefined && tracing?.findSpanContext(active) !== undefined;
    return isTraced ? active : this.operation.span?.context;
  }

  #carry(request: InputRequest, { span }: Operation): InputRequest {
    const { tracing } = this.telemetry;
    if (tracing === undefined || span === undefined) return request;
    return { ...request, params: tracing.contexts.inject({ ...request.params }, span.context) };
  }
}
