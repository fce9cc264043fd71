import { findHostFaults, formatHostFault, type ListedTool } from '../../protocol/hosts/find-host-faults.js';
import { MOST_TOOLS } from '../../lint/rules/size.rules.js';
import { isObject } from '../../protocol/json-rpc.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { selectAsking } from '../probe/select-asking.js';
import { quote } from '../quote.js';

/** What hosts make of what the server lists. */
export const CATALOGUE_CHECKS: readonly Check[] = [{ id: 'catalogue', run: checkTools }];

/** A longer list is examined so far. */
const MOST_PAGES = 20;

const MOST_TOLD = 3;

async function checkTools(patient: Patient): Promise<Outcome | undefined> {
  const asking = await selectAsking(patient, ({ tools }) => isObject(tools));
  if (asking === undefined) return undefined;
  const tools: ListedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, result, error, isComplete } = await asking.ask('tools/list', at(cursor));
    // What is refused is told elsewhere, and what is too long to be read here is not broken.
    if (result === undefined && (error !== undefined || status >= 400 || !isComplete)) break;
    const listed = result?.['tools'];
    if (!isListOfTools(listed)) {
      return fault(
        '"tools/list" is answered without a list of tools',
        'Answer it with "tools", an array of objects',
      );
    }
    tools.push(...listed);
    cursor = result?.['nextCursor'];
    if (cursor === undefined) break;
  }
  return tools.length === 0 ? undefined : judge(tools);
}

function judge(tools: readonly ListedTool[]): Outcome {
  const refused = tools.flatMap((tool) => {
    const faults = findHostFaults(tool).map(formatHostFault);
    return faults.length === 0 ? [] : [`${quote(tool.name)}: ${quote(faults.join('; '))}`];
  });
  if (refused.length === 0) return judgeSize(tools);
  const told = refused.slice(0, MOST_TOLD);
  if (refused.length > MOST_TOLD) told.push(`and ${refused.length - MOST_TOLD} more`);
  return warning(
    `Some hosts refuse every conversation with ${refused.length} of ${count(tools.length)} in it: ${told.join(', ')}`,
    'Change what these list: the protocol allows it, and the APIs of some models do not',
  );
}

function judgeSize(tools: readonly ListedTool[]): Outcome {
  const kilobytes = Math.ceil(new TextEncoder().encode(JSON.stringify(tools)).length / 1024);
  const size = `${count(tools.length)}, ${kilobytes} KB`;
  if (tools.length <= MOST_TOOLS) return ok(`Common hosts take what is listed of ${size}`);
  return warning(
    `The list has ${size}: models choose badly among so many, and every conversation pays for them`,
    'Have tools searched ("catalogue.search" of nestjs-mcp), or serve parts of them at several endpoints',
  );
}

function count(number: number): string {
  return `${number} tool${number === 1 ? '' : 's'}`;
}

function isListOfTools(listed: unknown): listed is readonly ListedTool[] {
  return Array.isArray(listed) && listed.every(isObject);
}

function at(cursor: unknown): { readonly cursor?: unknown } {
  return cursor === undefined ? {} : { cursor };
}
