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

/** Whether health probes succeed, and what they report. */
export const HEALTH_CHECKS: readonly Check[] = [
  { id: 'health', run: checkProbes },
  { id: 'cluster', run: checkCluster },
];

/** The paths in docs/health.md. */
const USUAL_PROBES = ['/live', '/ready'];

/** A probe's response. */
interface ProbeReply {
  readonly path: string;
  readonly status: number;
  /** The Terminus indicators' results, such as `McpHealthIndicator`. */
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
  if (parts.size === 0) return ok(`Probes succeed: ${list(replies.map(({ path }) => path))}`);
  return warning(
    `Probes succeed, but report failures: ${list([...parts])}`,
    'Check the log. "cluster" is Redis, "messages" a secret that differs between processes, "tokens" the issuer, "tasks" the task store, and "audit" the audit log. "use" means that sessions, listeners or memory are nearly exhausted',
  );
}

function judgeFailing(failing: readonly ProbeReply[], parts: readonly string[]): Outcome {
  const named = list(failing.map(({ path, status }) => `${path} (${status})`));
  const because = parts.length === 0 ? '' : `, failing: ${list(parts)}`;
  const found = `Probes do not return 200: ${named}${because}`;
  // A running process that is not ready returns 503.
  if (failing.some(({ status }) => status === 503)) return failure(found, 'Check the response and the log');
  return warning(
    found,
    'Add them, or pass their paths with "--probe"; if a proxy hides them, examine the process directly',
  );
}

/** The delay, in milliseconds, above which messages between processes count as late, as in the indicator. */
const LATE_MS = 5000;

/** Only the indicator reveals whether there is a cluster; without one, the check does not apply. */
async function checkCluster(target: Target): Promise<Outcome | undefined> {
  const replies = await askProbes(target);
  const clusters = replies
    .flatMap(({ indicators }) => indicators.map(({ cluster }) => cluster))
    .filter(isObject);
  const failing = clusters.find(({ state }) => state === 'failing');
  if (failing === undefined)
    return clusters.length === 0 ? undefined : ok('The process is connected to its cluster');
  const { reason, lagMs } = failing;
  if (reason === undefined && typeof lagMs === 'number' && lagMs >= LATE_MS) {
    return warning(
      `Messages from other processes arrive ${Math.round(lagMs)} ms late`,
      'Check whether Redis or this process is overloaded',
    );
  }
  const why = reason === undefined ? '' : `: ${quote(reason)}`;
  return failure(
    `This process is not connected to its cluster${why}`,
    'Fix Redis or the option "cluster"; the log contains the full reason. Until then, the process shares nothing with the others',
  );
}

/** A server may be degraded although none of its parts fails. */
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
