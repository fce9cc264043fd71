import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { MeasuredJson } from '../../../core/protocol/measured-json.js';
import { parseMessage } from '../../../core/protocol/parse-message.js';
import { estimateRequests, type MemoryBudget } from '../../memory/memory-budget.js';
import type { Owners } from '../../cluster/owners.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts } from '../../cluster/cluster-bus.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { describeRequest } from '../http/trace-exchange.js';
import type { DuplexCaller } from '../duplex/duplex-parts.interface.js';
import { selectAssumedRevision } from './assumed-revision.js';
import {
  buildForwardedCaller,
  FORWARD_POST,
  type ForwardedCaller,
  type ForwardedPost,
  type PostAnswer,
  readAuthentication,
  readHttp,
} from './forwarded-post.js';
import type { SseConnections } from './sse-connections.js';

/** Accepted posts that are remembered. A client repeats a post only while it waits for the answer. */
const MOST_TAKEN = 10_000;

const STREAM_ID = /^([0-9A-Za-z]{1,32})\.[\w-]{36}$/;

/** Passes on messages that were posted here for streams of other processes, and receives messages for the streams of this one. */
export class PostForwarding {
  readonly #taken = new Set<string>();
  #count = 0;

  constructor(
    private readonly bus: ClusterBus,
    private readonly owners: Owners,
    private readonly waits: ClusterTimeouts,
    private readonly connections: SseConnections,
    private readonly memory: MemoryBudget,
  ) {
    bus.respond(FORWARD_POST, (post) => this.#take(post));
  }

  /** Finds the other process that has a stream. Returns `undefined` if it is this process, or if no process has it. */
  findOwner(stream: string): string | undefined {
    const [, owner] = (this.bus.isShared && STREAM_ID.exec(stream)) || [];
    const isElsewhere = owner !== undefined && owner !== this.bus.member && this.bus.isMember(owner);
    return isElsewhere ? owner : undefined;
  }

  /**
   * Passes a message on to the process that {@link findOwner} gives.
   *
   * @returns whether that has the stream, for this caller
   * @throws {McpError} if it does not take the message, or with HTTP status 503 if it may live and does not answer
   */
  async forward(exchange: HttpExchange, stream: string, message: MeasuredJson): Promise<boolean> {
    describe(exchange, message.value);
    const hold = this.memory.hold(
      exchange.owner,
      2 * message.heapBytes + estimateRequests(undefined, 0),
      true,
    );
    try {
      const answer = await this.#ask(stream, message, exchange);
      if (answer?.refusal !== undefined) {
        const { error, status } = answer.refusal;
        throw new McpError(error.code, error.message, error.data, status);
      }
      return answer?.isKnown === true;
    } finally {
      hold.release();
    }
  }

  async #ask(
    stream: string,
    { value, heapBytes }: MeasuredJson,
    exchange: HttpExchange,
  ): Promise<PostAnswer | undefined> {
    this.#count += 1;
    const post = `${this.bus.member}:${this.#count}`;
    const member = this.findOwner(stream) ?? '';
    try {
      const body = { post, stream, value, heapBytes, caller: buildForwardedCaller(exchange) };
      const caller = nameSharer(exchange.owner);
      return await this.owners.ask(FORWARD_POST, body, { member, patienceMs: this.waits.postMs, caller });
    } catch (error) {
      if (error instanceof ClusterBusError) throw createUnreachableError();
      throw error;
    }
  }

  #take({ post, stream, value, heapBytes, caller }: ForwardedPost): PostAnswer {
    if (this.#taken.has(post)) return { isKnown: true };
    try {
      const connection = this.connections.find(stream, readAuthentication(caller));
      if (connection === undefined) return { isKnown: false };
      this.#remember(post);
      connection.receive({ value, heapBytes }, this.#buildCaller(caller));
      return { isKnown: true };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      return { isKnown: true, refusal: { error: error.toJSON(), status: error.httpStatus ?? 400 } };
    }
  }

  #buildCaller(caller: ForwardedCaller): DuplexCaller {
    const authentication = readAuthentication(caller);
    return {
      authentication,
      address: authentication === undefined ? caller.address : undefined,
      assumed: selectAssumedRevision(caller),
      http: readHttp(caller),
    };
  }

  #remember(post: string): void {
    this.#taken.add(post);
    const [oldest] = this.#taken;
    if (this.#taken.size > MOST_TAKEN && oldest !== undefined) this.#taken.delete(oldest);
  }
}

/** The span of the HTTP request says what was posted, wherever it runs. */
function describe({ authState }: HttpExchange, value: unknown): void {
  if (authState?.span === undefined || !isObject(value)) return;
  const inbound = parseMessage(value);
  if (inbound.kind === 'request') describeRequest(authState.span, inbound.message);
}

function createUnreachableError(): McpError {
  const text = 'The process that has the stream cannot be reached at the moment: post the message again';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}
