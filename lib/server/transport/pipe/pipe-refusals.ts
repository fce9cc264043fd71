import { Logger } from '../../../core/logger/logger.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { OutboundError } from '../../../core/protocol/outbound-message.js';
import { findRequestId } from '../../../core/protocol/parse-message.js';
import { logIncident } from '../../log/log-incident.js';
import type { Session } from '../../sessions/session.js';
import type { Refusal } from '../../telemetry/refusal.interface.js';
import type { PipeCaller, PipeServer } from './pipe-parts.interface.js';
import type { WriteMessage } from './pipe-reply.js';

/** Who is refused. */
export interface Refused {
  readonly caller: PipeCaller;
  readonly session: Session | undefined;
}

/** Answers what could not be taken of a connection. */
export class PipeRefusals {
  readonly #logger = new Logger('McpPipe');

  constructor(
    private readonly server: Pick<PipeServer, 'refusals'>,
    private readonly write: WriteMessage,
  ) {}

  /** Answers with why a message is not taken; what the client cannot help goes to the log. */
  refuse(error: unknown, value: unknown, refused: Refused): void {
    const incident = error instanceof McpError ? undefined : this.#logIncident(error, value, refused);
    const known = error instanceof McpError ? error : McpError.internal(incident);
    const answer = new OutboundError(findRequestId(value), known.toJSON(), 400);
    const kept = this.note({ error: answer.error, message: value, incident }, refused, answer);
    if (kept === undefined) this.write(answer);
    else void this.#writeKept(answer, kept);
  }

  /** Tells the recorder that a message is refused. */
  note(
    refusal: Pick<Refusal, 'error' | 'message' | 'reason' | 'incident'>,
    { caller: { http, isPipe, authentication }, session }: Refused,
    answer?: OutboundError,
  ): Promise<McpError | undefined> | undefined {
    const { refusals } = this.server;
    const answerBytes = answer && refusals.areAudited ? Buffer.byteLength(answer.json) : undefined;
    return refusals.note({ ...refusal, http, isPipe, authentication, sessionId: session?.id, answerBytes });
  }

  async #writeKept(answer: OutboundError, kept: Promise<McpError | undefined>): Promise<void> {
    const failure = await kept;
    this.write(failure === undefined ? answer : new OutboundError(answer.id, failure.toJSON(), 500));
  }

  #logIncident(
    error: unknown,
    value: unknown,
    { caller: { http, authentication }, session }: Refused,
  ): string {
    const { method, params } = isObject(value) ? value : {};
    return logIncident(this.#logger, error, {
      authentication,
      http,
      session,
      method: typeof method === 'string' ? method : undefined,
      params,
    });
  }
}
