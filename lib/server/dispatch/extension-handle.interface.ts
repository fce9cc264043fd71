import type { CallHost, HostedCall, RunningCall } from './hosted-call.interface.js';

/** Lets an extension send messages and call tools without being asked. */
export interface ExtensionHandle {
  /**
   * Sends a notification to every session that declared the extension, or to one of them.
   *
   * @param sessionId the only session to send it to
   */
  notify(method: string, params?: object, sessionId?: string): void;

  /**
   * Sends a notification to one session, even if only one of its requests declared the extension.
   *
   * @param scopes scopes that the token of the reader must have; nobody else gets the message
   */
  tell(sessionId: string, method: string, params?: object, scopes?: readonly string[]): void;

  /**
   * Sends a notification to the clients of the stateless wire that listen to a subscription of the extension, in whichever
   * process their streams are.
   *
   * @param filter the member of the filter of `subscriptions/listen` that asked for it
   * @param to whom it is for, as JSON for `hears` of the subscription @default all listeners
   * @throws {ExtensionError} if the extension has no such subscription
   * @example
   * handle.publish('reports', 'notifications/reports/ready', { week: 7 }, { desk: 'north' });
   */
  publish(filter: string, method: string, params?: object, to?: unknown): void;

  /**
   * Calls a tool for a client. Its pipeline runs as for the client itself, without the extension's own interceptor.
   *
   * @param host takes what the handler sends, and answers what it asks
   */
  callTool(call: HostedCall, host: CallHost): RunningCall;

  /** Gives a value as signed text that clients can carry. Everybody can read it, and nobody else can make it. */
  seal(value: unknown): string;

  /** Gives the value of a text that {@link seal} gave; `undefined` for any other. */
  open(sealed: string): unknown;
}
