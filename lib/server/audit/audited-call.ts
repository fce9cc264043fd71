import type { ClientRequest } from '../../core/protocol/client-requests.js';
import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { listMissing } from '../../core/oauth/auth.error.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import type { BroughtAnswer } from '../context/call-operation.interface.js';
import type { RefusalReason } from '../telemetry/refusal.js';
import type { AuditedFacts, AuditEvent, AuditOutcome } from './audit-event.js';
import { findEventCaller } from './audit-receiver.js';
import type { AuditTrail } from './audit-trail.js';
import { type AuditedEnd, measureBytes, measureValue, recordEvent } from './record-event.js';

/** What turned out only when a request was answered. */
interface AuditedResponse {
  /** Absent if there is no answer. */
  readonly response?: OutboundResponse | undefined;
  /** @default what the answer says; without one the request was cancelled */
  readonly outcome?: AuditOutcome | undefined;
  /** Why it was refused, if it was. */
  readonly refusal?: RefusalReason | undefined;
  /** Scopes that were required of the token, and that it has. */
  readonly usedScopes?: readonly string[] | undefined;
  /** The message as it came. */
  readonly request: object;
  /** Bytes of the message, if they were counted. */
  readonly requestBytes?: number | undefined;
  /** The session that the request has opened. */
  readonly opened?: { readonly fingerprint: string } | undefined;
  readonly version: string;
}

/** A question to the client. */
interface AuditedInputRequest extends Pick<AuditEvent, 'outcome' | 'time' | 'durationMs' | 'requestBytes'> {
  readonly type: 'question' | 'question_asked';
  readonly method: string;
  /** Absent if only its answer is here. */
  readonly params?: Params | undefined;
  /** Absent if there is none. */
  readonly answer: unknown;
}

/** A request from its arrival to its answer, for the audit. */
export class AuditedCall {
  readonly #startedAt = performance.now();
  readonly #time = new Date();
  /** What the client is told instead of an error. */
  incident: string | undefined;
  /** The task that the request made. */
  task: string | undefined;
  /** Gives back the room that is kept for its event. */
  #release: (() => void) | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly facts: AuditedFacts,
  ) {}

  /** Reserves room for the event of the request before the request runs. Returns the reason if it must not run. */
  reserve(): McpError | undefined {
    if (!this.trail.isRequired) return undefined;
    const admission = this.trail.reserve(findEventCaller(this.facts));
    if (typeof admission !== 'function') return admission;
    this.#release = admission;
    return undefined;
  }

  /**
   * Records that the client listens from now on, because the request may last. If events are required, its promise
   * gives the reason why it may not. Its room is for others from then on.
   */
  recordListening(): Promise<McpError | undefined> | undefined {
    const isAdmitted = this.#release !== undefined;
    this.#releaseSlot();
    const facts: AuditedFacts = { ...this.facts, type: 'listening_begun' };
    return recordEvent(this.trail, facts, { ...INSTANT, time: new Date() }, isAdmitted);
  }

  /** Ends the request; a promise gives why it fails, if it has to be kept. */
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

  /** Follows a question to the client until it is answered. */
  async recordInputRequest<Answer>(request: ClientRequest, ask: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const time = new Date();
    const record = (outcome: AuditOutcome, answer: unknown): void => {
      const durationMs = performance.now() - startedAt;
      const requestBytes = measureValue(request);
      this.#recordQuestion({ type: 'question', ...request, outcome, time, durationMs, requestBytes, answer });
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

  /** Notes a question whose answer comes with another request. */
  recordPendingInputRequest(request: ClientRequest): void {
    const requestBytes = measureValue(request);
    this.#recordQuestion({
      ...INSTANT,
      type: 'question_asked',
      ...request,
      time: new Date(),
      requestBytes,
      answer: undefined,
    });
  }

  /** Notes an answer in the request to a question that already has an event. */
  recordAnswer({ method, answer, askedAt }: BroughtAnswer): void {
    const time = new Date(askedAt);
    const durationMs = Math.max(0, Date.now() - askedAt);
    this.#recordQuestion({ ...INSTANT, type: 'question', method, time, durationMs, answer });
  }

  #releaseSlot(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** The session belongs to the caller of the handshake. */
  #recordSession({ source, transport, caller, session, version, traceId }: AuditedFacts): void {
    const type = 'session_begun';
    const facts: AuditedFacts = { type, source, transport, caller, session, version, traceId };
    void recordEvent(this.trail, facts, { ...INSTANT, time: new Date() });
  }

  /** Nothing waits for it: the event of its call is what an answer waits for. */
  #recordQuestion({ type, method, params, answer, ...end }: AuditedInputRequest): void {
    const facts: AuditedFacts = { ...this.facts, type, method, params, requestId: undefined };
    const answerBytes = answer === undefined ? 0 : measureValue(answer);
    void recordEvent(this.trail, facts, { ...end, action: findAction(answer), answerBytes });
  }
}

/** What begins has no duration and no sizes. */
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

/** A question is given up by a signal. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
