import { ErrorCode } from '../../core/protocol/error-codes.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import type { JsonRpcNotification, JsonRpcResponse } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts, Query } from '../cluster/cluster-bus.js';
import type { Owners } from '../cluster/owners.js';
import { nameSharer } from '../sessions/caller-shares.js';
import { findForwardedSession, type ForwardedSender, readHolder } from '../sessions/forwarded-sender.js';
import { findInputRequestOwner } from '../sessions/input-request-id.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import { holdsScopes } from '../sessions/streams/scope-holder.interface.js';

/** A client's response to an input request, or its progress. */
export type InputResponseMessage = JsonRpcResponse | JsonRpcNotification;

/** Messages that are forwarded to the process that sent the input requests. */
interface Forwarded {
  readonly sender: ForwardedSender;
  readonly messages: readonly InputResponseMessage[];
  /** Whether only to check that the messages would be accepted. */
  readonly isTrial: boolean;
}

/** The process's reply: the calls' scopes, if the token lacks any of them. */
interface Taken {
  readonly required?: readonly string[];
}

const RESPONSES = new Query<Forwarded, Taken>('input-requests.responses');

/** Forwards clients' responses to the processes that sent the input requests, and receives responses for this process. */
export class InputResponseForwarding {
  constructor(
    private readonly bus: ClusterBus,
    private readonly owners: Owners,
    private readonly waits: ClusterTimeouts,
    private readonly sessions: SessionRegistry,
  ) {
    bus.respond(RESPONSES, (forwarded) => this.#take(forwarded));
  }

  /**
   * Finds the other process whose input request a message belongs to. Returns `undefined` if it is this process, or
   * if the message does not belong to an input request.
   */
  findOwner(message: InputResponseMessage): string | undefined {
    if (!this.bus.isShared) return undefined;
    const owner = findInputRequestOwner(findInputRequestId(message));
    const isRemote = owner !== undefined && owner !== this.bus.member && this.bus.isMember(owner);
    return isRemote ? owner : undefined;
  }

  /**
   * Forwards each message to the process that {@link findOwner} returns. Responses to a process that is gone are
   * dropped.
   *
   * @param isTrial whether only to check that they would be accepted @default false
   * @returns the calls' scopes, if the token lacks one; that process has then accepted nothing
   * @throws {McpError} with HTTP status 503 if a process that may still run does not respond
   */
  async forward(
    sender: ForwardedSender,
    messages: readonly InputResponseMessage[],
    isTrial = false,
  ): Promise<readonly string[]> {
    const owners = new Set(
      messages.map((message) => this.findOwner(message)).filter((one) => one !== undefined),
    );
    const asked = [...owners].map((owner) => {
      const own = messages.filter((message) => this.findOwner(message) === owner);
      return this.#ask(owner, { sender, messages: own, isTrial });
    });
    return mergeScopes(...(await Promise.all(asked)));
  }

  async #ask(member: string, forwarded: Forwarded): Promise<readonly string[]> {
    const session = this.sessions.findByKey(forwarded.sender.session);
    const caller = nameSharer(session ?? forwarded.sender);
    try {
      const taken = await this.owners.ask(RESPONSES, forwarded, {
        member,
        patienceMs: this.waits.postMs,
        caller,
      });
      return taken?.required ?? [];
    } catch (error) {
      if (!(error instanceof ClusterBusError)) throw error;
      // Progress may be lost.
      if (forwarded.messages.every(isNotification)) return [];
      throw createUnreachableError();
    }
  }

  #take({ sender, messages, isTrial }: Forwarded): Taken {
    const session = findForwardedSession(this.sessions, sender);
    if (session === undefined) return {};
    const { pending } = session;
    const holder = readHolder(sender);
    const answers = messages.filter((message) => !isNotification(message));
    const required = mergeScopes(...answers.map((answer) => pending.findScopes(answer)));
    if (!holdsScopes(holder, required)) return { required };
    if (isTrial) return {};
    for (const message of messages) {
      if (isNotification(message)) pending.progress(message.params ?? {});
      else pending.settle(message, holder);
    }
    return {};
  }
}

function isNotification(message: InputResponseMessage): message is JsonRpcNotification {
  return 'method' in message;
}

function findInputRequestId(message: InputResponseMessage): unknown {
  if (!isNotification(message)) return message.id;
  return message.method === 'notifications/progress' ? message.params?.['progressToken'] : undefined;
}

function createUnreachableError(): McpError {
  const text = 'The process that sent the input request is temporarily unavailable: send the response again';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}
