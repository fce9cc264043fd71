import type { ClusterTimeouts } from '../../../lib/server/cluster/cluster-bus.js';
import type { RunningApp } from '../applications/boot.js';
import { getParts } from '../applications/get-parts.js';

/** Sets for how long a process waits for others. */
export function setWaits({ app }: RunningApp, waits: Partial<ClusterTimeouts>): void {
  Object.assign(getParts(app).foundation.waits, waits);
}
