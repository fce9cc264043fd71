import { mergeCapabilities, parseCapabilities } from '../../core/protocol/capabilities.js';
import { isObject, type JsonRpcRequest, type Params, type RequestId } from '../../core/protocol/json-rpc.js';
import { MetaKey, type RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallerState } from './caller-state.interface.js';
import type { ClientView, HttpView, SessionView, TaskView } from './mcp-context.interface.js';
import type { Peer } from './peer.interface.js';
import { NO_AUTH } from './request-auth.js';
import type { Hosting, RequestParts } from './request-parts.interface.js';
import { selectTransport } from './select-transport.js';
import type { StateSource } from './state-source.interface.js';

const NOTHING: Params & RequestMeta = Object.freeze({});

/** The facts about a request: its kind and its sender. */
export abstract class RequestFacts {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  readonly peer: Peer;
  readonly auth: AuthView;
  readonly memory: RequestParts['memory'];
  readonly hosting: Hosting | undefined;
  readonly operation: RequestParts['operation'];
  #client: ClientView | undefined;
  #state: CallerState | undefined;

  constructor(
    request: JsonRpcRequest,
    protected readonly parts: RequestParts,
  ) {
    this.id = request.id;
    this.method = request.method;
    this.params = request.params ?? NOTHING;
    this.peer = parts.peer;
    this.auth = parts.auth ?? NO_AUTH;
    ({ memory: this.memory, hosting: this.hosting, operation: this.operation } = parts);
  }

  get meta(): RequestMeta {
    const meta = this.params['_meta'];
    return isObject(meta) ? meta : NOTHING;
  }

  get revision(): Revision {
    return this.peer.revision;
  }

  get task(): TaskView | undefined {
    return this.hosting?.task;
  }

  get identity(): string | undefined {
    return this.peer.identity;
  }

  get session(): SessionView | undefined {
    return this.peer.session;
  }

  get http(): HttpView | undefined {
    return this.parts.channel.http;
  }

  /** The transport of the request; absent if it is unknown, as for work that outlives the request. */
  get transport(): TransportKind | undefined {
    return this.hosting === undefined ? selectTransport(this.parts.channel) : this.hosting.transport;
  }

  get client(): ClientView {
    return (this.#client ??= mergeClient(this.peer, this.meta));
  }

  get state(): CallerState {
    return (this.#state ??= this.hosting?.state ?? getStateSource(this.parts).open(this));
  }
}

/**
 * Returns what keeps state for a request.
 *
 * @throws {TypeError} if nothing does
 */
function getStateSource({ states }: Pick<RequestParts, 'states'>): StateSource {
  if (states !== undefined) return states;
  throw new TypeError('Nothing keeps state for this context');
}

/** Adds the capabilities of one request to those of the handshake. Nothing is removed. */
function mergeClient({ client, revision }: Peer, meta: RequestMeta): ClientView {
  const declared = meta[MetaKey.clientCapabilities];
  // On the stateless wire that is all there is.
  if (revision.kind === 'perRequest' || !isObject(declared)) return client;
  return { ...client, capabilities: mergeCapabilities(client.capabilities, parseCapabilities(declared)) };
}
