import { isObject, type JsonObject } from '../../../lib/core/protocol/json-rpc.js';
import {
  type Check,
  failure,
  list,
  ok,
  type Outcome,
  quote,
  warning,
} from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';

/** Whether probes answer, and what they say. */
export const HEALTH_CHECKS: readonly Check[] = [
  { id: 'health', run: checkProbes },
  { id: 'cluster', run: checkCluster },
];

/** Where the page on health puts them. */
const USUAL_PROBES = ['/live', '/ready'];

/** What a probe answered. */
interface ProbeReply {
  readonly path: string;
  readonly status: number;
  /** What the indicators of Terminus say, such as `McpHealthIndicator`. */
  readonly indicators: readonly JsonObject[];
}

async function askProbes(target: Target): Promise<readonly ProbeReply[]> {
  const { probes = [] } = target.options;
  const replies: ProbeReply[] = [];
  for (const path of probes.length > 0 ? probes : USUAL_PROBES) {
    const { status, body } = await target.requestAt(path, { method: 'GET' });
    replies.push({ path, status, indicators: readIndicators(body) });
  }
  return replies;
}

async function checkProbes(target: Target): Promise<Outcome> {
  const replies = await askProbes(target);
  const failing = replies.filter(({ status }) => status !== 200);
  const parts = new Set(replies.flatMap(({ indicators }) => indicators.flatMap(findFailingParts)));
  if (failing.length > 0) return judgeFailing(failing, [...parts]);
  if (parts.size === 0) return ok(`Probes answer: ${list(replies.map(({ path }) => path))}`);
  return warning(
    `Probes answer, and say that something fails: ${list([...parts])}`,
    'See the log. Redis is "cluster", a secret that differs between processes "messages", the issuer "tokens". The store of tasks is "tasks", who keeps the audit "audit", and "use" means places or memory that are taken',
  );
}

function judgeFailing(failing: readonly ProbeReply[], parts: readonly string[]): Outcome {
  const named = list(failing.map(({ path, status }) => `${path} (${status})`));
  const because = parts.length === 0 ? '' : `, since something fails: ${list(parts)}`;
  const found = `Probes do not answer with 200: ${named}${because}`;
  // A process that is up but not ready says so.
  if (failing.some(({ status }) => status === 503))
    return failure(found, 'Read what the answer says, and the log');
  return warning(
    found,
    'Add them, or name them by "--probe"; behind a proxy that hides them ask the process itself',
  );
}

/** What is late for a message from one process to another, in milliseconds: the indicator says the same. */
const LATE_MS = 5000;

/** Whether there is a cluster, the indicator alone says: nothing is known of a server without it. */
async function checkCluster(target: Target): Promise<Outcome | undefined> {
  const replies = await askProbes(target);
  const clusters = replies
    .flatMap(({ indicators }) => indicators.map(({ cluster }) => cluster))
    .filter(isObject);
  const failing = clusters.find(({ state }) => state === 'failing');
  if (failing === undefined) return clusters.length === 0 ? undefined : ok('The process reaches its cluster');
  const { reason, lagMs } = failing;
  if (reason === undefined && typeof lagMs === 'number' && lagMs >= LATE_MS) {
    return warning(
      `Messages of the other processes are late, by ${Math.round(lagMs)} ms`,
      'Look whether Redis, or this process, has too much to do',
    );
  }
  const why = reason === undefined ? '' : `: ${quote(reason)}`;
  return failure(
    `A cluster is configured, and this process is not connected to it${why}`,
    'Mend Redis, or how "cluster" reaches it. The log has the whole reason, and until then the process is alone',
  );
}

/** A server may be degraded without a part that fails. */
function findFailingParts(indicator: JsonObject): readonly string[] {
  if (indicator['state'] !== 'degraded') return [];
  const parts = Object.entries(indicator).filter(([, part]) => isObject(part) && part['state'] === 'failing');
  return parts.length > 0 ? parts.map(([name]) => name) : ['use'];
}

function readIndicators(body: string): readonly JsonObject[] {
  try {
    const answer: unknown = JSON.parse(body);
    const details = isObject(answer) ? answer['details'] : undefined;
    return Object.values(isObject(details) ? details : {}).filter(isObject);
  } catch {
    return [];
  }
}
