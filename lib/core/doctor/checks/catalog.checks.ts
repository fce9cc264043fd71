import { findHostFaults, formatHostFault, type ListedTool } from '../../protocol/hosts/find-host-faults.js';
import { MOST_TOOLS } from '../../lint/rules/size.rules.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { count, listFirst, quote } from '../quote.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { listPages } from '../probe/list-pages.js';
import { selectAsking } from '../probe/select-asking.js';

/** What hosts make of what the server lists. */
export const CATALOG_CHECKS: readonly Check[] = [{ id: 'catalog', run: checkTools }];

async function checkTools(target: Target): Promise<Outcome | undefined> {
  const asking = await selectAsking(target, ({ tools }) => isObject(tools));
  if (asking === undefined) return undefined;
  const { entries: tools = [], outcome } = await listPages(
    (params) => asking.ask('tools/list', params),
    'tools/list',
    'tools',
  );
  if (outcome !== undefined) return outcome;
  if (!isListOfTools(tools))
    return failure('"tools/list" lists something that is no tool', 'List objects alone');
  return tools.length === 0 ? undefined : judge(tools);
}

function judge(tools: readonly ListedTool[]): Outcome {
  const refused = tools.flatMap((tool) => {
    const faults = findHostFaults(tool).map(formatHostFault);
    return faults.length === 0 ? [] : [`${quote(tool.name)}: ${quote(faults.join('; '))}`];
  });
  if (refused.length === 0) return judgeSize(tools);
  return warning(
    `Some hosts refuse every conversation with ${refused.length} of ${count(tools.length, 'tool')} in it: ${listFirst(refused)}`,
    'Change what these list: the protocol allows it, and the APIs of some models do not',
  );
}

function judgeSize(tools: readonly ListedTool[]): Outcome {
  const kilobytes = Math.ceil(new TextEncoder().encode(JSON.stringify(tools)).length / 1024);
  const size = `${count(tools.length, 'tool')}, ${kilobytes} KB`;
  if (tools.length <= MOST_TOOLS) return ok(`Common hosts take what is listed of ${size}`);
  return warning(
    `The list has ${size}: models choose badly among so many, and every conversation pays for them`,
    'Have tools searched ("catalog.search" of nestjs-mcp), or serve parts of them at several endpoints',
  );
}

function isListOfTools(listed: readonly unknown[]): listed is readonly ListedTool[] {
  return listed.every(isObject);
}
