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
   * Sends a notification to one session, even if the extension was declared only by a single request.
   *
   * @param scopes scopes that the reader's token must have. Nobody else gets the message
   */
  tell(sessionId: string, method: string, params?: object, scopes?: readonly string[]): void;

  /**
   * Sends a notification to clients of the stateless wire that listen to a subscription of the extension. Their streams
   * may be in any process.
   *
   * @param filter the member that clients set in the filter of `subscriptions/listen`
   * @param to the audience, as JSON for the function `hears` of the subscription @default all listeners
   * @throws {ExtensionError} if the extension does not have this subscription
   * @example
   * handle.publish('reports', 'notifications/reports/ready', { week: 7 }, { desk: 'north' });
   */
  publish(filter: string, method: string, params?: object, to?: unknown): void;

  /**
   * Calls a tool for a client. The pipeline runs as for a call of the client, except for the extension's own
   * interceptor.
   *
   * @param host takes the messages of the handler, and answers its questions
   */
  callTool(call: HostedCall, host: CallHost): RunningCall;

  /** Turns a value into signed text that clients can carry. Everybody can read the text. Only the server can create it. */
  seal(value: unknown): string;

  /** Returns the value of a text from {@link seal}, or `undefined` for any other text. */
  open(sealed: string): unknown;
}
