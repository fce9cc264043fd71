import type { ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { ClientView } from '../context/mcp-context.interface.js';

/** What initialization negotiated for the whole session. */
export interface Negotiated {
  readonly revision: Revision;
  readonly client: ClientView;
  /** The capabilities that the server declared to this client. Later catalog changes do not affect them. */
  readonly declared: ServerCapabilities;
  /** Digests of the server's lists at initialization; absent if no other process may resume the session. */
  readonly lists?: string | undefined;
  /** The session's owner, if it is known. */
  readonly identity?: string | undefined;
  /** The client's address, if its identity is unknown. */
  readonly address?: string | undefined;
}
