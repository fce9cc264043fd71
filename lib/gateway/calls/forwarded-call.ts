import { randomUUID } from 'node:crypto';
import { ErrorCode, McpError, type InputRequest, type McpContext } from '../../index.js';
import { untilAborted } from '../../core/async/promises.js';
import { callAfter } from '../../core/async/timers.js';
import { SUSPENDED } from '../../server/context/request-context.js';

/** The outcome of a round of a call: the result, or input requests for the client. */
export type RoundOutcome =
  { readonly result: unknown } | { readonly inputRequests: { readonly [key: string]: InputRequest } };

/** An input request waiting for the client's response. */
interface OpenRequest {
  readonly request: InputRequest;
  readonly settle: (response: unknown) => void;
  readonly fail: (reason: Error) => void;
}

/**
 * A request that the gateway has sent to a server with sessions. It continues while its client responds to the server's
 * input requests, for which the client may have to send several requests.
 */
export class ForwardedCall {
  readonly id = randomUUID();
  readonly #end = new AbortController();
  readonly #open = new Map<string, OpenRequest>();
  #context: McpContext | undefined;
  #detach: () => void = () => undefined;
  #outcome: Promise<RoundOutcome> = Promise.resolve({ result: undefined });
  #wake: () => void = () => undefined;
  #count = 0;
  #stopTimer: () => void = () => undefined;

  constructor(
    /** The session or the caller. A server's input requests only go to the owner of its running calls. */
    readonly owner: string,
    /** Whether the client can receive input requests at all. */
    readonly canAsk = true,
    /** The caller whose share of the waiting calls it uses. */
    readonly caller = owner,
  ) {}

  /** Aborts when the client cancels the request, or does not continue it in time. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether the server has sent input requests, so that the call may last as long as its client needs. */
  get hasAsked(): boolean {
    return this.#count > 0;
  }

  /** Whether its client has received an input request and not responded yet. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** The client's request that waits for the next outcome; absent between two requests. */
  get context(): McpContext | undefined {
    return this.#context;
  }

  /** Starts a round for a client's request. */
  enter(context: McpContext): void {
    this.#stopTimer();
    this.leave();
    this.#context = context;
    const { signal } = context;
    const cancel = () => {
      const reason = signal.reason as Error;
      return reason.message === SUSPENDED ? this.leave() : this.cancel(reason);
    };
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel, { once: true });
    this.#detach = () => signal.removeEventListener('abort', cancel);
  }

  /** Ends the round of a client's request. */
  leave(): void {
    this.#detach();
    this.#detach = () => undefined;
    this.#context = undefined;
  }

  /** Cancels the call unless its client continues it in time. */
  expireAfter(milliseconds: number): void {
    this.#stopTimer();
    this.#stopTimer = callAfter(milliseconds, () =>
      this.cancel(new Error('The client did not respond in time')),
    );
  }

  /** Sends the request. */
  begin(send: () => Promise<unknown>): void {
    this.#outcome = send().then((result) => ({ result }));
    // Nothing awaits it between two rounds.
    this.#outcome.catch(() => undefined);
  }

  cancel(reason: Error): void {
    this.#stopTimer();
    this.leave();
    this.#end.abort(reason);
    for (const { fail } of this.#open.values()) fail(reason);
    this.#open.clear();
  }

  /** Waits for the result, or for input requests. */
  async next(): Promise<RoundOutcome> {
    const asked = new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#open.size > 0) this.#wake();
    const asking = asked.then((): RoundOutcome => ({ inputRequests: this.#listOpen() }));
    return Promise.race([this.#outcome, asking]);
  }

  /** Forwards a server's input request to the client, and resolves to the response. */
  ask(request: InputRequest, signal: AbortSignal): Promise<unknown> {
    this.#count += 1;
    const key = `input-${this.#count}`;
    const response = new Promise((resolve, reject) => {
      this.#open.set(key, { request, settle: resolve, fail: reject });
    });
    // Requests that arrive together are sent to the client together.
    setImmediate(() => this.#wake());
    return untilAborted(response, signal).finally(() => this.#open.delete(key));
  }

  /** Passes the client's responses to the server. A request without a response stays open. */
  respond(responses: { readonly [key: string]: unknown }): void {
    for (const [key, { settle }] of this.#open) {
      if (!Object.hasOwn(responses, key)) continue;
      this.#open.delete(key);
      settle(responses[key]);
    }
  }

  #listOpen(): { readonly [key: string]: InputRequest } {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
  }
}

/** The running calls on one connection to a server. */
export class ConnectionCalls {
  readonly #calls = new Set<ForwardedCall>();

  add(call: ForwardedCall): void {
    this.#calls.add(call);
  }

  delete(call: ForwardedCall): void {
    this.#calls.delete(call);
  }

  get size(): number {
    return this.#calls.size;
  }

  /**
   * Finds the call that a server's message belongs to. Messages do not identify their call, so a recipient can only be
   * found while all running calls have the same owner.
   */
  find(): ForwardedCall | undefined {
    const owners = new Set([...this.#calls].map(({ owner }) => owner));
    if (owners.size !== 1) return undefined;
    const calls = [...this.#calls];
    return calls.find(({ isWaiting, context }) => !isWaiting && context !== undefined) ?? calls[0];
  }

  /**
   * Forwards a server's input request to the client that made the call.
   *
   * @throws {McpError} if the recipient is unknown or ambiguous, or if the client lacks the capability
   */
  async ask(request: InputRequest, signal: AbortSignal): Promise<unknown> {
    const call = this.find();
    const declared = call?.context?.client.capabilities;
    if (call === undefined) {
      const reason = this.#calls.size === 0 ? 'no call is running' : 'several clients have running calls';
      throw new McpError(ErrorCode.InvalidRequest, `No client can receive the request: ${reason}`);
    }
    if (!call.canAsk || (declared !== undefined && !isDeclared(request, declared))) {
      throw McpError.methodNotFound(request.method);
    }
    return call.ask(request, signal);
  }
}

/** An empty `elicitation` object implies form mode. */
function isDeclared(
  { method, params }: InputRequest,
  { elicitation, sampling, roots }: McpContext['client']['capabilities'],
): boolean {
  if (method === 'roots/list') return roots !== undefined;
  if (method === 'sampling/createMessage') return sampling !== undefined;
  if (elicitation === undefined) return false;
  const { form, url } = elicitation as { readonly form?: unknown; readonly url?: unknown };
  return params?.['mode'] === 'url' ? url !== undefined : form !== undefined || url === undefined;
}
