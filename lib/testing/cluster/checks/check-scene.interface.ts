import type { CheckedMember } from './checked-member.js';

/** The tools of a check, which has its own server. */
export interface CheckContext {
  /** Joins as one more process of the server, or of another server with a suffixed name. */
  join(other?: string): Promise<CheckedMember>;
}

/** Promises of the public interface, and the checks that prove them. */
export type ClusterChecks = Readonly<Record<string, (scene: CheckContext) => Promise<void>>>;
