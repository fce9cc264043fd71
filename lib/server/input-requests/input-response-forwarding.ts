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

/** What a client says of a question: its answer, or how far that is. */
export type InputResponseMessage = JsonRpcResponse | JsonRpcNotification;

/** What is passed on to the process that asked. */
interface Forwarded {
  readonly sender: ForwardedSender;
  readonly messages: readonly InputResponseMessage[];
  /** Only to say whether the messages would be taken. */
  readonly isTrial: boolean;
}

/** The reply of the asking process: the scopes of the calls, if the token lacks one. */
interface Taken {
  readonly required?: readonly string[];
}

const ANSWERS = new Query<Forwarded, Taken>('input-requests.responses');

/** Passes clients' answers on to the processes that asked, and receives the answers for this process. */
export class InputResponseForwarding {
  constructor(
    private readonly bus: ClusterBus,
    private readonly owners: Owners,
    private readonly waits: ClusterTimeouts,
    private readonly sessions: SessionRegistry,
  ) {
    bus.respond(ANSWERS, (forwarded) => this.#take(forwarded));
  }

  /**
   * Finds the other process whose question a message is about. Returns `undefined` if it is this process, or if the
   * message is about no question.
   */
  findOwner(message: InputResponseMessage): string | undefined {
    if (!this.bus.isShared) return undefined;
    const owner = findInputRequestOwner(findQuestionId(message));
    const isElsewhere = owner !== undefined && owner !== this.bus.member && this.bus.isMember(owner);
    return isElsewhere ? owner : undefined;
  }

  /**
   * Passes messages on, each to the process that {@link findOwner} gives. What a process that is gone has asked is over: answers to it
   * are dropped.
   *
   * @param isTrial only to find out whether they would be taken @default false
   * @returns the scopes that calls required, if the token lacks one; nothing was taken by that process then
   * @throws {McpError} with HTTP status 503 if a process that may live does not answer
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
      const taken = await this.owners.ask(ANSWERS, forwarded, {
        member,
        patienceMs: this.waits.postMs,
        caller,
      });
      return taken?.required ?? [];
    } catch (error) {
      if (!(error instanceof ClusterBusError)) throw error;
      // Nothing depends on how far a client is with a question.
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

function findQuestionId(message: InputResponseMessage): unknown {
  if (!isNotification(message)) return message.id;
  return message.method === 'notifications/progress' ? message.params?.['progressToken'] : undefined;
}

function createUnreachableError(): McpError {
  const text = 'The process that asked cannot be reached at the moment: send the answer again';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}
