/** An endpoint that a server takes over from an application controller. */
export interface OwnEndpoint {
  readonly path: string;
  /** The path of HTTP+SSE, if the controller served it too. */
  readonly ssePath: string | undefined;
  /** The controller's decorators, as expressions in the server's file. */
  readonly decorators: readonly string[];
}
