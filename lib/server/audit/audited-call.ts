import type { InputRequest } from '../../core/protocol/input-requests.js';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { listMissing } from '../../core/oauth/auth.error.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import type { DeferredResponse } from '../context/call-operation.interface.js';
import type { RefusalReason } from '../telemetry/refusal.js';
import type { AuditedFacts, AuditEvent, AuditOutcome } from './audit-event.js';
import { findEventCaller } from './audit-receiver.js';
import type { AuditTrail } from './audit-trail.js';
import { type AuditedEnd, measureBytes, measureValue, recordEvent } from './record-event.js';

/** The facts about a request that its response reveals. */
interface AuditedResponse {
  /** Absent if there is no response. */
  readonly response?: OutboundResponse | undefined;
  /** @default the outcome of the response; without one, the request was cancelled */
  readonly outcome?: AuditOutcome | undefined;
  /** Why it was refused, if it was. */
  readonly refusal?: RefusalReason | undefined;
  /** The required scopes that the token has. */
  readonly usedScopes?: readonly string[] | undefined;
  /** The message as it was received. */
  readonly request: object;
  /** Bytes of the message, if they were counted. */
  readonly requestBytes?: number | undefined;
  /** The session that the request opened. */
  readonly opened?: { readonly fingerprint: string } | undefined;
  readonly version: string;
}

/** An input request to the client. */
interface AuditedInputRequest extends Pick<AuditEvent, 'outcome' | 'time' | 'durationMs' | 'requestBytes'> {
  readonly type: 'input_request' | 'input_request_sent';
  readonly method: string;
  /** Absent if only the response is known. */
  readonly params?: Params | undefined;
  /** Absent if there is none. */
  readonly answer: unknown;
}

/** Audits a request from its arrival to its response. */
export class AuditedCall {
  readonly #startedAt = performance.now();
  readonly #time = new Date();
  /** The id that the client receives instead of an error. */
  incident: string | undefined;
  /** The task that the request created. */
  task: string | undefined;
  /** Releases the room reserved for its event. */
  #release: (() => void) | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly facts: AuditedFacts,
  ) {}

  /** Reserves room for the request's event before the request runs. Returns an error if the request must not run. */
  reserve(): McpError | undefined {
    if (!this.trail.isRequired) return undefined;
    const admission = this.trail.reserve(findEventCaller(this.facts));
    if (typeof admission !== 'function') return admission;
    this.#release = admission;
    return undefined;
  }

  /**
   * Records the start of a long-lived request, and releases its room. If events are required, the promise resolves to
   * an error when the request must not continue.
   */
  recordListening(): Promise<McpError | undefined> | undefined {
    const isAdmitted = this.#release !== undefined;
    this.#releaseSlot();
    const facts: AuditedFacts = { ...this.facts, type: 'listening_begun' };
    return recordEvent(this.trail, facts, { ...INSTANT, time: new Date() }, isAdmitted);
  }

  /**
   * Records the end of the request. If events are required, the promise resolves to the error with which the request
   * fails.
   */
  end(answer: AuditedResponse): Promise<McpError | undefined> | undefined {
    const { response, refusal: reason, usedScopes, opened, version } = answer;
    const facts = opened === undefined ? this.facts : { ...this.facts, session: opened.fingerprint, version };
    const isAdmitted = this.#release !== undefined;
    this.#releaseSlot();
    const end: AuditedEnd = {
      time: this.#time,
      outcome: answer.outcome ?? judge(response, reason),
      reason,
      errorCode: findErrorCode(response),
      usedScopes,
      missingScopes: findMissing(response),
      durationMs: performance.now() - this.#startedAt,
      requestBytes: answer.requestBytes ?? measureValue(answer.request),
      answerBytes: response === undefined ? 0 : measureBytes(response),
      incident: this.incident,
      task: this.task,
    };
    const stored = recordEvent(this.trail, facts, end, isAdmitted);
    if (opened !== undefined) this.#recordSession(facts);
    return stored;
  }

  /** Records an input request until its response arrives. */
  async recordInputRequest<Answer>(request: InputRequest, ask: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const time = new Date();
    const record = (outcome: AuditOutcome, answer: unknown): void => {
      const durationMs = performance.now() - startedAt;
      const requestBytes = measureValue(request);
      this.#recordQuestion({
        type: 'input_request',
        ...request,
        outcome,
        time,
        durationMs,
        requestBytes,
        answer,
      });
    };
    try {
      const answer = await ask();
      record('ok', answer);
      return answer;
    } catch (error) {
      record(isAborted(error) ? 'cancelled' : 'error', undefined);
      throw error;
    }
  }

  /** Records an input request whose response arrives with a later request. */
  recordPendingInputRequest(request: InputRequest): void {
    const requestBytes = measureValue(request);
    this.#recordQuestion({
      ...INSTANT,
      type: 'input_request_sent',
      ...request,
      time: new Date(),
      requestBytes,
      answer: undefined,
    });
  }

  /** Records the response to an earlier input request. */
  recordAnswer({ method, answer, askedAt }: DeferredResponse): void {
    const time = new Date(askedAt);
    const durationMs = Math.max(0, Date.now() - askedAt);
    this.#recordQuestion({ ...INSTANT, type: 'input_request', method, time, durationMs, answer });
  }

  #releaseSlot(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** The session belongs to the caller that initialized it. */
  #recordSession({ source, transport, caller, session, version, traceId }: AuditedFacts): void {
    const type = 'session_begun';
    const facts: AuditedFacts = { type, source, transport, caller, session, version, traceId };
    void recordEvent(this.trail, facts, { ...INSTANT, time: new Date() });
  }

  /** The response waits only for the event of the call itself. */
  #recordQuestion({ type, method, params, answer, ...end }: AuditedInputRequest): void {
    const facts: AuditedFacts = { ...this.facts, type, method, params, requestId: undefined };
    const answerBytes = answer === undefined ? 0 : measureValue(answer);
    void recordEvent(this.trail, facts, { ...end, action: findAction(answer), answerBytes });
  }
}

/** Events that mark a beginning have no duration and no sizes. */
const INSTANT = { outcome: 'ok', durationMs: 0, requestBytes: 0, answerBytes: 0 } as const;

function judge(response: OutboundResponse | undefined, refusal: RefusalReason | undefined): AuditOutcome {
  if (response === undefined) return 'cancelled';
  if (refusal !== undefined || response instanceof ChallengingResponse) return 'refused';
  if (response instanceof OutboundError) return 'error';
  const { result } = response;
  if (result instanceof SerializedResult) return 'ok';
  return 'isError' in result && result.isError === true ? 'tool_error' : 'ok';
}

function findErrorCode(response: OutboundResponse | undefined): number | undefined {
  if (response instanceof ChallengingResponse) return findErrorCode(response.response);
  return response instanceof OutboundError ? response.error.code : undefined;
}

function findMissing(response: OutboundResponse | undefined): readonly string[] | undefined {
  if (!(response instanceof ChallengingResponse) || response.shortage === undefined) return undefined;
  return listMissing(response.shortage);
}

function findAction(answer: unknown): AuditEvent['action'] {
  const action = isObject(answer) ? answer['action'] : undefined;
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined;
}

/** Signals cancel input requests with an `AbortError`. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
