import type { ClientRequest } from '../../core/protocol/client-requests.js';
import type { RequestId, Params } from '../../core/protocol/json-rpc.js';

/** Sends a question, and gives its answer. It says by what id the question went. */
export type SendQuestion<Answer> = (
  request: ClientRequest,
  onSent: (id: RequestId) => void,
) => Promise<Answer>;

/** An answer in a request to the question of an earlier request. */
export interface BroughtAnswer {
  /** The method of the question. */
  readonly method: string;
  readonly answer: unknown;
  /** When it was asked, in milliseconds of the epoch. */
  readonly askedAt: number;
}

/** A request as telemetry and the audit follow it. */
export interface CallOperation {
  /** The span of the request, for others to link to; absent if none is recorded. */
  readonly spanContext?: object | undefined;
  /** Names that span to another process; absent if none is recorded. */
  readonly carried?: { readonly [name: string]: string } | undefined;
  /** Follows a question to the client until it is answered; the question carries the trace to it. */
  follow<Answer>(request: ClientRequest, send: SendQuestion<Answer>): Promise<Answer>;
  /** Notes a question whose answer comes with another request. Returns the question with the trace added. */
  note(request: ClientRequest): ClientRequest;
  /** Notes an answer that the request brings to such a question. */
  noteAnswer(brought: BroughtAnswer): void;
  /** Records the error of the request. */
  noteFailure(failure: unknown): void;
  /** Notes what the client is told instead of an error. */
  noteIncident(incident: string): void;
  /** Notes that members of a tool's arguments were repaired. */
  noteRepair(tool: string, members: number): void;
  /** Notes the task that the request has made. */
  noteTask(taskId: string): void;
  /**
   * Notes that the client's listening begins, which may last. Await the promise, if it returns one.
   *
   * @throws {McpError} in the promise, if a record has to be kept of it and cannot be
   */
  noteListening(): Promise<void> | undefined;
}

/** A request, as far as it tells what is called. */
export interface OpenableCall {
  readonly method: string;
  readonly params?: Params | undefined;
}

/** Finds the call that another tool passes on. */
export interface CallOpener {
  /** Returns the call that is meant, or the same request if it is none of these. */
  rewrite<Call extends OpenableCall>(call: Call): Call;
}
