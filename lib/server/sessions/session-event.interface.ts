import type { SessionView } from '../context/mcp-context.interface.js';

/** A step in a session's life. */
export interface SessionEvent {
  /** `initialized` is when the client has confirmed the handshake. */
  readonly type: 'opened' | 'initialized' | 'closed';
  /** The session, which is still readable when it is closed. */
  readonly session: SessionView;
}
