import type { CheckedMember } from './checked-member.js';

/** What a check may do: it has a server of its own. */
export interface CheckScene {
  /** Joins as one more process of the server, or of another server of the same name everywhere. */
  join(other?: string): Promise<CheckedMember>;
}

/** One promise of the seam, and what proves it. */
export type ClusterChecks = Readonly<Record<string, (scene: CheckScene) => Promise<void>>>;
