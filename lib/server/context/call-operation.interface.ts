import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';

/** Sends an input request, and resolves to its response. Reports the sent request's id. */
export type SendInputRequest<Answer> = (
  request: InputRequest,
  onSent: (id: RequestId) => void,
) => Promise<Answer>;

/** The response, contained in a later request, to an input request from an earlier round. */
export interface DeferredResponse {
  /** The input request's method. */
  readonly method: string;
  readonly answer: unknown;
  /** When the input request was sent, in milliseconds since the epoch. */
  readonly askedAt: number;
}

/** The view of a request that telemetry and the audit use. */
export interface CallOperation {
  /** The request span, for others to link to; absent if none is recorded. */
  readonly spanContext?: object | undefined;
  /** The trace context of that span for another process; absent if none is recorded. */
  readonly carried?: { readonly [name: string]: string } | undefined;
  /** Records an input request until its response arrives, and adds the trace context to it. */
  follow<Answer>(request: InputRequest, send: SendInputRequest<Answer>): Promise<Answer>;
  /** Records an input request whose response arrives with a later request. Returns it with the trace context. */
  note(request: InputRequest): InputRequest;
  /** Records the response to such an input request in this request. */
  noteAnswer(brought: DeferredResponse): void;
  /** Records the error of the request. */
  noteFailure(failure: unknown): void;
  /** Records the incident id that the client receives instead of an error. */
  noteIncident(incident: string): void;
  /** Records that some of a tool's arguments were repaired. */
  noteRepair(tool: string, members: number): void;
  /** Records the task that the request created. */
  noteTask(taskId: string): void;
  /**
   * Records that the client has started to listen. If this returns a promise, await it.
   *
   * @throws {McpError} in the promise, if the required audit event cannot be stored
   */
  noteListening(): Promise<void> | undefined;
}

/** The part of a request that identifies what is called. */
export interface OpenableCall {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** Resolves calls that a tool forwards to another tool. */
export interface CallOpener {
  /** Returns the forwarded call, or the request itself if it does not forward a call. */
  rewrite<Call extends OpenableCall>(call: Call): Call;
}
