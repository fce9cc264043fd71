import type { CheckedMember } from './checked-member.js';

/** The tools of a check, which has its own server. */
export interface CheckScene {
  /** Joins as one more process of the server, or of another server of the same name everywhere. */
  join(other?: string): Promise<CheckedMember>;
}

/** One promise of the seam, and what proves it. */
export type ClusterChecks = Readonly<Record<string, (scene: CheckScene) => Promise<void>>>;
