import {
  findHostProblems,
  formatHostProblem,
  type ListedTool,
} from '../../protocol/hosts/find-host-faults.js';
import { MOST_TOOLS } from '../../lint/rules/size.rules.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { count, listFirst, quote } from '../quote.js';
import { failure, ok, warning, type Outcome } from '../finding.js';
import type { Target } from '../target.js';
import { listPages } from '../probe/list-pages.js';
import { selectRequester } from '../probe/select-asking.js';

/** How well hosts can use the tools that the server lists. */
export const CATALOG_CHECKS: readonly Check[] = [{ id: 'catalog', run: checkTools }];

async function checkTools(target: Target): Promise<Outcome | undefined> {
  const asking = await selectRequester(target, ({ tools }) => isObject(tools));
  if (asking === undefined) return undefined;
  const { entries: tools = [], outcome } = await listPages(
    (params) => asking.request('tools/list', params),
    'tools/list',
    'tools',
  );
  if (outcome !== undefined) return outcome;
  if (!isListOfTools(tools))
    return failure('"tools/list" lists something that is not a tool', 'List only objects');
  return tools.length === 0 ? undefined : judge(tools);
}

function judge(tools: readonly ListedTool[]): Outcome {
  const refused = tools.flatMap((tool) => {
    const faults = findHostProblems(tool).map(formatHostProblem);
    return faults.length === 0 ? [] : [`${quote(tool.name)}: ${quote(faults.join('; '))}`];
  });
  if (refused.length === 0) return judgeSize(tools);
  return warning(
    `Some hosts refuse conversations that include ${refused.length} of ${count(tools.length, 'tool')}: ${listFirst(refused)}`,
    'Change their definitions: the protocol allows them, but some model APIs do not',
  );
}

function judgeSize(tools: readonly ListedTool[]): Outcome {
  const kilobytes = Math.ceil(new TextEncoder().encode(JSON.stringify(tools)).length / 1024);
  const size = `${count(tools.length, 'tool')}, ${kilobytes} KB`;
  if (tools.length <= MOST_TOOLS) return ok(`Common hosts accept the list of ${size}`);
  return warning(
    `The list has ${size}: models choose poorly among so many, and every conversation pays for them`,
    'Let models search for tools ("catalog.search" of nestjs-mcp), or split them across several endpoints',
  );
}

function isListOfTools(listed: readonly unknown[]): listed is readonly ListedTool[] {
  return listed.every(isObject);
}
