/** A notification of a server. */
export interface ServerNotification {
  /** For example `notifications/tools/list_changed`. */
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
}
