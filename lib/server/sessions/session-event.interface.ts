import type { SessionView } from '../context/mcp-context.interface.js';

/** A step in a session's life. */
export interface SessionEvent {
  /** `initialized` means that the client has confirmed the handshake. */
  readonly type: 'opened' | 'initialized' | 'closed';
  /** The session, which stays readable after it is closed. */
  readonly session: SessionView;
}
