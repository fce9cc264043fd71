import { isObject } from '../../../core/protocol/json-rpc.js';
import type { Check } from '../../../core/doctor/check.interface.js';
import { fault, ok, warning, type Outcome } from '../../../core/doctor/finding.js';
import type { Target } from '../../../core/doctor/target.js';
import { list } from '../../../core/doctor/quote.js';

/** Whether probes answer, and what they say. */
export const HEALTH_CHECKS: readonly Check[] = [{ id: 'health', run: checkProbes }];

/** Where the page on health puts them. */
const USUAL_PROBES = ['/live', '/ready'];

async function checkProbes(target: Target): Promise<Outcome> {
  const { probes = [] } = target.options;
  const paths = probes.length > 0 ? probes : USUAL_PROBES;
  const failing: string[] = [];
  const degraded = new Set<string>();
  for (const path of paths) {
    const { status, body } = await target.requestAt(path, { method: 'GET' });
    if (status !== 200) failing.push(`${path} (${status})`);
    for (const part of findFailingParts(body)) degraded.add(part);
  }
  if (failing.length > 0) return judgeFailing(failing);
  if (degraded.size === 0) return ok(`Probes answer: ${list(paths)}`);
  return warning(
    `Probes answer, and say that something fails: ${list([...degraded])}`,
    'See the log. Redis is "relay", a secret that differs between processes "messages", the issuer "tokens". The store of tasks is "tasks", who keeps the audit "audit", and "use" means places or memory that are taken',
  );
}

function judgeFailing(failing: readonly string[]): Outcome {
  const remedy = 'Add them, or name them by "--probe"; behind a proxy that hides them ask the process itself';
  // A process that is up but not ready says so.
  const isDown = failing.some((line) => line.endsWith('(503)'));
  const found = `Probes do not answer with 200: ${list(failing)}`;
  return isDown ? fault(found, 'Read what the answer says, and the log') : warning(found, remedy);
}

/** Reads what `McpHealthIndicator` puts into the answer of Terminus. */
function findFailingParts(body: string): readonly string[] {
  return Object.values(readDetails(body)).flatMap((indicator) => {
    if (!isObject(indicator) || indicator['state'] !== 'degraded') return [];
    const parts = Object.entries(indicator).filter(
      ([, part]) => isObject(part) && part['state'] === 'failing',
    );
    return parts.length > 0 ? parts.map(([name]) => name) : ['use'];
  });
}

function readDetails(body: string): object {
  try {
    const answer: unknown = JSON.parse(body);
    const details = isObject(answer) ? answer['details'] : undefined;
    return isObject(details) ? details : {};
  } catch {
    return {};
  }
}
