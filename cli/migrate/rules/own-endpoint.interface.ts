/** An endpoint that a controller of the application served, which a server takes over. */
export interface OwnEndpoint {
  readonly path: string;
  /** The path of HTTP+SSE, if the controller served that too. */
  readonly ssePath: string | undefined;
  /** The decorators of the controller, as the server's file has them. */
  readonly decorators: readonly string[];
}
