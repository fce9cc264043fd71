import type { ClientCapabilities } from '../../core/protocol/capabilities.js';
import type { Implementation } from '../../core/protocol/definitions.js';
import type { Params } from '../../core/protocol/json-rpc.js';
import type { RequestMeta } from '../../core/protocol/meta-keys.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { Claims } from '../../core/oauth/claims.js';

/** The request for which visibility is decided. It is the part of `McpContext` that only reads. */
export interface VisibilityContext {
  /** The method, for example `tools/list` or `tools/call`. */
  readonly method: string;
  readonly params: Params;
  readonly meta: RequestMeta;
  readonly revision: Revision;
  readonly client: { readonly info?: Implementation; readonly capabilities: ClientCapabilities };
  /** The session; absent if the revision has none. */
  readonly session?: { readonly id: string } | undefined;
  /** The HTTP request; absent on other transports. */
  readonly http?:
    | {
        readonly headers: { readonly [name: string]: string | string[] | undefined };
        readonly request: unknown;
      }
    | undefined;
  /** Who calls. */
  readonly auth: { readonly claims: Claims | undefined; hasScope(scope: string): boolean };
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
