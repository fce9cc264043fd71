import type { ServerCapabilities } from '../../core/protocol/capabilities.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { ClientView } from '../context/mcp-context.interface.js';

/** What a handshake settled for the whole session. */
export interface Negotiated {
  readonly revision: Revision;
  readonly client: ClientView;
  /** What the server declared to this client: later changes of the catalog do not change it. */
  readonly declared: ServerCapabilities;
  /** Digests of the lists that the server had then; absent if no other process may take the session up. */
  readonly lists?: string | undefined;
  /** Whose session it is, if that is known. */
  readonly identity?: string | undefined;
  /** Where its client is, if nobody knows who it is. */
  readonly address?: string | undefined;
}
