import { randomUUID } from 'node:crypto';
import type { Challenges } from '../../core/oauth/challenges.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import {
  ChallengingResponse,
  OutboundError,
  OutboundNotification,
  OutboundResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import { HostInputRequesters } from '../input-requests/host-input-requesters.js';
import type { Authentication } from '../context/authentication.js';
import type { Peer, ReplyChannel } from '../context/peer.interface.js';
import { RequestAuth } from '../context/request-auth.js';
import { InFlightRequests } from '../sessions/in-flight-requests.js';
import type { CallHost, CallOrigin, CallOutcome, HostedCall, RunningCall } from './extension.interface.js';
import type { RequestDispatcher } from './request-dispatcher.js';

/** Runs tool calls independently of client requests, for extensions that respond earlier or on another stream. */
export class HostedCalls {
  /** @param upstream lets handlers get the token that the identity provider issued for a caller */
  constructor(
    private readonly dispatcher: RequestDispatcher,
    private readonly challenges: Challenges,
    private readonly upstream?: { allow(authentication: Authentication): void },
  ) {}

  /**
   * Begins a call.
   *
   * @param maker the extension that makes the call, whose own interceptor is skipped
   */
  run({ params, origin, task, work }: HostedCall, host: CallHost, maker: object): RunningCall {
    const id = task?.id ?? randomUUID();
    const inFlight = new InFlightRequests();
    const { operation: cause, state, transport } = origin;
    const inputRequesters = new HostInputRequesters((...question) => host.ask(...question));
    const auth = origin.auth ?? this.#restoreAuth(origin);
    const responded = this.dispatcher.dispatch(
      { jsonrpc: '2.0', id, method: 'tools/call', params },
      {
        peer: buildPeer(origin),
        channel: new HostChannel(origin, host),
        inFlight,
        auth,
        hosting: { inputRequesters, task, maker, origin, state, cause, transport, work },
      },
    );
    return {
      outcome: responded.then(readOutcome),
      get requiredScopes() {
        return auth.requiredScopes ?? [];
      },
      cancel: (reason) => inFlight.find(id)?.cancel(reason),
    };
  }

  /** Restores a caller's access if another process received the request. */
  #restoreAuth({ authentication }: CallOrigin): RequestAuth {
    if (authentication !== undefined) this.upstream?.allow(authentication);
    return new RequestAuth(this.challenges, authentication, []);
  }
}

/** Passes the handler's messages to the host. */
class HostChannel implements ReplyChannel {
  readonly takesMessages = true;
  readonly http: ReplyChannel['http'];

  constructor(
    { http }: CallOrigin,
    private readonly host: CallHost,
  ) {
    this.http = http;
  }

  send(message: object): void {
    if (message instanceof OutboundNotification) this.host.notify(message.method, message.params ?? {});
  }
}

function buildPeer({ revision, client, identity, session }: CallOrigin): Peer {
  return {
    revision,
    client,
    identity,
    session,
    // The client may change it while the call runs.
    get logLevel() {
      return session?.logLevel;
    },
  };
}

function readOutcome(response: OutboundResponse | undefined): CallOutcome {
  if (response instanceof ChallengingResponse) return readOutcome(response.response);
  if (response instanceof OutboundError) return { error: response.error };
  if (!(response instanceof OutboundResult)) return undefined;
  // Copies the result, so that the handler cannot change it later.
  const { result } = JSON.parse(response.json) as { result: Encoded };
  return { result };
}
