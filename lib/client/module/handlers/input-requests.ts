import type {
  Client,
  ClientContext,
  CreateMessageResult,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client';
import { describeFailure } from '../../../core/log/describe-failure.js';
import { formatFacts, type LoggedCaller } from '../../../core/log/format-facts.js';
import { Logger } from '../../../core/logger/logger.js';
import type { ClientCapabilities } from '../../../core/protocol/capabilities.js';
import type { RequestId } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { explainCapabilities, QuestionUnansweredError } from '../errors.js';
import type { ClientOperations } from '../telemetry/client-operations.js';
import { INPUT_REQUEST_KINDS, type InputRequestKind } from './input-request-metadata.js';
import type { InputRequestHandlers } from './input-request-handlers.js';
import type { McpInputRequestHandlers } from './input-request.decorators.js';

/** An input request, as the server sends it. */
export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** Finds a client's handler for a kind of input request. */
export type HandlerSource = Pick<InputRequestHandlers, 'find'>;

/** The capability that a function declares. */
const GIVEN_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } as const;

/** Offers functions as handlers, instead of decorated methods. */
export function offerHandlers(given: McpInputRequestHandlers): HandlerSource {
  return {
    find(client, kind) {
      const handle = given[kind];
      if (handle === undefined) return undefined;
      const capability = GIVEN_CAPABILITIES[kind];
      return {
        client,
        kind,
        capability,
        options: {},
        location: `${kind} of "${client}"`,
        handle: async (params, context) => handle(params, context),
      };
    },
  };
}

/** Routes the input requests of one client's server to the application's handlers. */
export class InputRequests {
  /** Records the latest connection's input requests. @default nothing is recorded */
  operations: ClientOperations | undefined;
  readonly #log = new Logger('McpClient');
  /** The kinds of input requests without a handler that were already warned about. */
  readonly #unanswered = new Set<InputRequestKind>();

  constructor(
    private readonly client: string,
    private readonly handlers: HandlerSource,
    private readonly caller?: LoggedCaller,
  ) {}

  /** Returns the capabilities that the handlers provide. */
  buildCapabilities(): ClientCapabilities {
    const declared = [...INPUT_REQUEST_KINDS.values()].flatMap((kind) => {
      const handler = this.handlers.find(this.client, kind);
      return handler === undefined ? [] : [[kind, handler.capability] as const];
    });
    return Object.fromEntries(declared);
  }

  /** Registers itself for the input requests that a client receives. */
  attach(client: Client): void {
    const { elicitation, sampling, roots } = this.buildCapabilities();
    const createHandler =
      <Result>() =>
      async (request: InputRequest, { mcpReq }: ClientContext) =>
        (await this.handle(request, mcpReq.signal, mcpReq.id)) as Result;
    if (elicitation) client.setRequestHandler('elicitation/create', createHandler<ElicitResult>());
    if (sampling) client.setRequestHandler('sampling/createMessage', createHandler<CreateMessageResult>());
    if (roots) client.setRequestHandler('roots/list', createHandler<ListRootsResult>());
    // A server may send requests without a handler.
    client.fallbackRequestHandler = ({ method }) => {
      const kind = INPUT_REQUEST_KINDS.get(method);
      if (kind !== undefined) this.#warnOf(kind);
      return Promise.reject(McpError.methodNotFound(method));
    };
  }

  /**
   * Handles an input request.
   *
   * @param id its JSON-RPC id, if it was a request
   * @throws {QuestionUnansweredError} if there is no handler, or the handler fails
   */
  handle(question: InputRequest, signal: AbortSignal, id?: RequestId): Promise<unknown> {
    const answer = (): Promise<unknown> => this.#answer(question, signal);
    return this.operations === undefined ? answer() : this.operations.follow(question, id, answer);
  }

  async #answer({ method, params }: InputRequest, signal: AbortSignal): Promise<unknown> {
    const kind = INPUT_REQUEST_KINDS.get(method);
    const handler = kind && this.handlers.find(this.client, kind);
    if (handler === undefined) {
      if (kind !== undefined) this.#warnOf(kind);
      throw new QuestionUnansweredError(this.client, method);
    }
    try {
      const answer = await handler.handle(params ?? {}, { client: this.client, signal, caller: this.caller });
      return kind === 'roots' && Array.isArray(answer) ? { roots: answer } : answer;
    } catch (error) {
      // The reason is logged, but not sent to the server.
      const { text, stack } = describeFailure(error);
      const line = `"${handler.location}" failed to handle ${kind} for "${this.client}": ${text}`;
      this.#log.error(formatFacts(line, { caller: this.caller, method }), stack);
      throw new QuestionUnansweredError(this.client, method, error);
    }
  }

  /** Logs the fix, once for each kind of input request. The server only receives an error. */
  #warnOf(kind: InputRequestKind): void {
    if (this.#unanswered.has(kind)) return;
    this.#unanswered.add(kind);
    const fix = explainCapabilities(this.client, { [kind]: {} });
    const line = `The server for the client "${this.client}" sent an input request that has no handler: ${fix}`;
    this.#log.warn(formatFacts(line, { caller: this.caller }));
  }
}
