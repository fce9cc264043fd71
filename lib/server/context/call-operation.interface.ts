import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';

/** Sends an input request, and resolves with its answer. Reports the id of the sent request. */
export type SendInputRequest<Answer> = (
  request: InputRequest,
  onSent: (id: RequestId) => void,
) => Promise<Answer>;

/** An answer that a request carries to the input request of an earlier one. */
export interface DeferredResponse {
  /** The method of the input request. */
  readonly method: string;
  readonly answer: unknown;
  /** When the input request was sent, in milliseconds since the epoch. */
  readonly askedAt: number;
}

/** A request, as telemetry and the audit observe it. */
export interface CallOperation {
  /** The span of the request, for others to link to; absent if none is recorded. */
  readonly spanContext?: object | undefined;
  /** The trace context of that span for another process; absent if none is recorded. */
  readonly carried?: { readonly [name: string]: string } | undefined;
  /** Records an input request until its answer arrives, and adds the trace context to it. */
  follow<Answer>(request: InputRequest, send: SendInputRequest<Answer>): Promise<Answer>;
  /** Records an input request whose answer arrives in a later request. Returns it with the trace context. */
  note(request: InputRequest): InputRequest;
  /** Records an answer in this request to such an input request. */
  noteAnswer(brought: DeferredResponse): void;
  /** Records the error of the request. */
  noteFailure(failure: unknown): void;
  /** Records the incident id that the client receives instead of an error. */
  noteIncident(incident: string): void;
  /** Records that properties of a tool's arguments were repaired. */
  noteRepair(tool: string, members: number): void;
  /** Records the task that the request created. */
  noteTask(taskId: string): void;
  /**
   * Records that the client starts to listen. Await the promise, if it returns one.
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
  /** Returns the forwarded call, or the request itself if it is not a forwarding one. */
  rewrite<Call extends OpenableCall>(call: Call): Call;
}
