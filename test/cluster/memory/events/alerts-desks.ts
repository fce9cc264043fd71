import { memoryCluster } from 'nestjs-mcp/testing';
import type { Cluster } from 'nestjs-mcp';
import { CLUSTER_SECRET } from '../../../support/cluster/task-desks.js';
import { bootAlerts, type AlertsApp } from '../../../e2e/extensions/events/alerts.app.js';

type Parts = NonNullable<Parameters<typeof bootAlerts>[0]>;

/** Starts applications with event sources that are one server. */
export async function bootAlertsDesks(
  count: number,
  { cluster = memoryCluster(), options, ...parts }: Parts & { readonly cluster?: Cluster } = {},
): Promise<readonly AlertsApp[]> {
  const shared = { secret: CLUSTER_SECRET, cluster, ...options };
  const desks: AlertsApp[] = [];
  while (desks.length < count) desks.push(await bootAlerts({ auth: 'none', ...parts, options: shared }));
  return desks;
}
