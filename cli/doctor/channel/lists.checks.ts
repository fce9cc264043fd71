import type { Check } from '../../../lib/core/doctor/check.interface.js';
import { count } from '../../../lib/core/doctor/count.js';
import { ok, type Outcome } from '../../../lib/core/doctor/finding.js';
import { listPages } from '../../../lib/core/doctor/probe/list-pages.js';
import { selectAsking } from '../../../lib/core/doctor/probe/select-asking.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';

/** Whether what the server declares is listed. */
export const LISTS_CHECKS: readonly Check[] = [{ id: 'lists', run: checkLists }];

const LISTS = [
  { capability: 'tools', method: 'tools/list', member: 'tools', noun: 'tool' },
  { capability: 'resources', method: 'resources/list', member: 'resources', noun: 'resource' },
  { capability: 'prompts', method: 'prompts/list', member: 'prompts', noun: 'prompt' },
] as const;

async function checkLists(target: Target): Promise<Outcome | undefined> {
  const found: string[] = [];
  for (const { capability, method, member, noun } of LISTS) {
    const asking = await selectAsking(target, (capabilities) => isObject(capabilities[capability]));
    if (asking === undefined) continue;
    const { entries, outcome } = await listPages((params) => asking.ask(method, params), method, member);
    if (outcome !== undefined) return outcome;
    found.push(count(entries?.length ?? 0, noun));
  }
  return found.length === 0 ? undefined : ok(`What is declared is listed: ${found.join(', ')}`);
}
