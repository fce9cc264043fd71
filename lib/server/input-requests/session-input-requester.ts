import { setMaxListeners } from 'node:events';
import { announcesRoots } from '../../core/protocol/capabilities.js';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { RequestId } from '../../core/protocol/json-rpc.js';
import { OutboundRequest } from '../../core/protocol/outbound-message.js';
import type {
  InputRequester,
  InputResponsesOf,
  Round,
  TypedInputRequest,
} from '../context/input-request.interface.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import { ToolError } from '../context/tool-errors.js';
import { requestEach } from './input-request-keys.js';
import { assertSupported } from './required-capabilities.js';
import type { Session } from '../sessions/session.js';

/** Sends input requests in a session, each as a request on the call's stream. */
export class SessionInputRequester implements InputRequester {
  round: Round = { inputResponses: {} };
  readonly #over = new AbortController();

  constructor(
    private readonly context: InputRequestContext,
    private readonly session: Session,
    private readonly timeoutMs: number,
    /** This process's name, if responses may arrive in other processes. */
    private readonly member?: string,
  ) {
    // A call may send more concurrent requests than Node expects listeners on one signal.
    setMaxListeners(0, this.#over.signal);
  }

  end(reason: string): void {
    this.#over.abort(new DOMException(reason, 'AbortError'));
  }

  async request<Answer>(question: TypedInputRequest<Answer>): Promise<Answer> {
    const { context, session } = this;
    assertSupported(question, context);
    await assertReachable(context, session);
    const { method, options } = question;
    if (method === 'roots/list') return this.#askRoots(question);
    return question.parseAnswer(await this.#request(question, options.timeoutMs));
  }

  async requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>> {
    for (const question of Object.values(questions)) assertSupported(question, this.context);
    return requestEach(questions, (question) => this.request(question));
  }

  /** The roots of a client that sends `notifications/roots/list_changed` are requested once, and again after it (MCP client/roots). */
  async #askRoots<Answer>(question: TypedInputRequest<Answer>): Promise<Answer> {
    const { session } = this;
    while (session.roots !== undefined) {
      const known = session.roots;
      try {
        return await question.parseAnswer(JSON.parse(await known));
      } catch {
        // Another call's request was cancelled or received an invalid response, which does not affect this call.
        if (session.roots === known) session.roots = undefined;
      }
    }
    const asked = this.#request(question, question.options.timeoutMs).then((answer = null) =>
      JSON.stringify(answer),
    );
    if (announcesRoots(session.client.capabilities)) session.roots = asked;
    try {
      const text = await asked;
      const answer = await question.parseAnswer(JSON.parse(text));
      session.keepRoots(asked, text);
      return answer;
    } catch (error) {
      if (session.roots === asked) session.roots = undefined;
      throw error;
    }
  }

  #request(question: TypedInputRequest<unknown>, timeoutMs = this.timeoutMs): Promise<unknown> {
    const { context, session } = this;
    const { method, options } = question;
    const send = (request: InputRequest, onSent?: (id: RequestId) => void): Promise<unknown> =>
      session.pending.request({
        request,
        timeoutMs,
        member: this.member,
        signal: this.#over.signal,
        send: (message) => {
          if (message instanceof OutboundRequest) onSent?.(message.id);
          context.send(message);
        },
        auth: context.auth,
        onProgress: options.onProgress,
      });
    const request = { method, params: question.buildParams(session.revision) };
    return context.operation === undefined ? send(request) : context.operation.follow(request, send);
  }
}

/** Servers send no requests before `notifications/initialized`, or to clients without an open stream. */
async function assertReachable(context: InputRequestContext, session: Session): Promise<void> {
  if (context.isSettled)
    throw new ToolError('The call has already ended, so the client can no longer receive requests');
  if (!session.isLive) {
    throw new ToolError(
      'The client has not sent "notifications/initialized" yet, so it cannot receive requests',
    );
  }
  if (!context.takesMessages && (await context.findReader?.()) !== true) {
    throw new ToolError('The client accepts no event stream for this call, so it cannot receive requests');
  }
}
