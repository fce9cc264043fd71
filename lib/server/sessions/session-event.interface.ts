import type { SessionView } from '../context/mcp-context.interface.js';

/** A stage in a session's lifecycle. */
export interface SessionEvent {
  /** `initialized` means that the client has confirmed initialization. */
  readonly type: 'opened' | 'initialized' | 'closed';
  /** The session, which remains readable after it is closed. */
  readonly session: SessionView;
}
