import type { JsonRpcRequest, Params } from '../../core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { AuthView } from './auth-view.interface.js';
import type { CallOperation } from './call-operation.interface.js';
import type { ClientView } from './mcp-context.interface.js';
import type { Peer } from './peer.interface.js';
import type { Asker, QuestionBuilders } from './question.interface.js';

/** What asking needs of the context of a call. */
export interface AskingContext {
  readonly method: JsonRpcRequest['method'];
  readonly params: Params;
  readonly peer: Peer;
  readonly client: ClientView;
  readonly revision: Revision;
  /** The access of the call. @default nothing is known of it */
  readonly auth?: Pick<AuthView, 'requiredScopes'> & Partial<Pick<AuthView, 'claims'>>;
  /** How telemetry follows the call. @default not at all */
  readonly operation?: CallOperation | undefined;
  /** Whether what is sent before the response reaches the client. */
  readonly takesMessages: boolean;
  /** Finds out whether another process makes it possible. @default it does not */
  findReader?(): Promise<boolean>;
  /** Whether the request is answered, or never will be. */
  readonly isSettled: boolean;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  /** Ends this round of the call with questions to the client. */
  suspend(result: Record<string, unknown>): void;
  /** Fails the request before its handler is done. */
  fail(failure: Error): void;
}

/** Gives each request its way of asking the client. */
export interface AskerSource {
  /** Builds the questions that a context offers by methods of its own. */
  readonly questions: QuestionBuilders;
  /** Tells whether calls of a method may take several rounds. */
  takesRounds(method: string): boolean;
  create(context: AskingContext): Asker;
}
