import { memoryCluster } from 'nestjs-mcp/testing';
import type { Cluster } from 'nestjs-mcp';
import { bootTaskDesk, type TaskDesk, type TaskDeskOptions } from '../applications/task-desk.js';

/** Signs for all the processes of one server. */
export const CLUSTER_SECRET = 'one secret for all the processes';

/** Starts desks that are one server. */
export async function bootTaskDesks(
  count: number,
  { cluster = memoryCluster(), ...options }: TaskDeskOptions & { readonly cluster?: Cluster } = {},
): Promise<readonly TaskDesk[]> {
  const parts = { secret: CLUSTER_SECRET, cluster, ...options };
  return Promise.all(Array.from({ length: count }, () => bootTaskDesk(parts)));
}
