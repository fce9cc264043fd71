import type { CallHost, HostedCall, RunningCall } from './hosted-call.interface.js';

/** What an extension does without being asked. */
export interface ExtensionHandle {
  /**
   * Tells every session that declared the extension, or the one named among them.
   *
   * @param sessionId the only session that is to be told
   */
  notify(method: string, params?: object, sessionId?: string): void;

  /**
   * Tells one session, also if not the session but one of its requests declared the extension.
   *
   * @param scopes what the token must have by which the message is read; nobody is told otherwise
   */
  tell(sessionId: string, method: string, params?: object, scopes?: readonly string[]): void;

  /**
   * Tells clients of the stateless wire that listen to a subscription of the extension, whichever process has their streams.
   *
   * @param filter the member of the filter of `subscriptions/listen` that asked for it
   * @param to whom it is for, as JSON for `hears` of the subscription @default all listeners
   * @throws {ExtensionError} if the extension has no such subscription
   * @example
   * handle.publish('reports', 'notifications/reports/ready', { week: 7 }, { desk: 'north' });
   */
  publish(filter: string, method: string, params?: object, to?: unknown): void;

  /**
   * Calls a tool in a client's place: its pipeline runs as for the client, except for the extension's own interceptor.
   *
   * @param host takes what the handler sends, and answers what it asks
   */
  callTool(call: HostedCall, host: CallHost): RunningCall;

  /** Gives a value as text that clients can carry and nobody else can make; it can be read by everybody. */
  seal(value: unknown): string;

  /** Gives the value of a text that {@link seal} gave; `undefined` for any other. */
  open(sealed: string): unknown;
}
