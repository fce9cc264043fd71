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

/** Asks the client of a session: each question is a request on the stream of the call. */
export class SessionInputRequester implements InputRequester {
  round: Round = { inputResponses: {} };
  readonly #over = new AbortController();

  constructor(
    private readonly context: InputRequestContext,
    private readonly session: Session,
    private readonly timeoutMs: number,
    /** Names this process, if answers may reach others. */
    private readonly member?: string,
  ) {
    // A call may ask more questions at once than Node expects of one signal.
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

  /** Roots of a client that tells about their change are asked for once, until it does (MCP client/roots). */
  async #askRoots<Answer>(question: TypedInputRequest<Answer>): Promise<Answer> {
    const { session } = this;
    while (session.roots !== undefined) {
      const known = session.roots;
      try {
        return await question.parseAnswer(JSON.parse(await known));
      } catch {
        // Another call asked, and it was cancelled or answered wrongly: that is no answer to this one.
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

/** A server sends no request before the handshake is confirmed, nor to a client that reads no stream. */
async function assertReachable(context: InputRequestContext, session: Session): Promise<void> {
  if (context.isSettled) throw new ToolError('The call is over: the client cannot be asked');
  if (!session.isLive) {
    throw new ToolError('The client has not sent "notifications/initialized" yet: it cannot be asked');
  }
  if (!context.takesMessages && (await context.findReader?.()) !== true) {
    throw new ToolError('The client accepts no event stream for this call: it cannot be asked');
  }
}
