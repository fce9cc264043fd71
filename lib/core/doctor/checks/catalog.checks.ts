import { type Check, count, failure, list, listFirst, ok, type Outcome, quote, warning } from '../finding.js';
import { listTools, selectRequester } from '../probe/requester.js';
import type { Target } from '../target.js';
import { MOST_TOOLS } from '../../lint/rules/size.rules.js';
import {
  findHostProblems,
  formatHostProblem,
  type ListedTool,
} from '../../protocol/hosts/find-host-problems.js';
import { isLoopbackUrl } from '../../oauth/secure-url.js';
import { isObject } from '../../protocol/json-rpc.js';

/** How well hosts can use the listed tools, and who may call them. */
export const CATALOG_CHECKS: readonly Check[] = [
  { id: 'catalog', run: checkTools },
  { id: 'open-tools', run: checkOpenTools },
];

async function checkTools(target: Target): Promise<Outcome | undefined> {
  const { entries: tools = [], outcome } = (await listTools(target)) ?? {};
  if (outcome !== undefined) return outcome;
  if (!isListOfTools(tools))
    return failure('"tools/list" lists something that is not a tool', 'List only objects');
  return tools.length === 0 ? undefined : judge(tools);
}

function judge(tools: readonly ListedTool[]): Outcome {
  const refused = tools.flatMap((tool) => {
    const problems = findHostProblems(tool).map(formatHostProblem);
    return problems.length === 0 ? [] : [`${quote(tool.name)}: ${quote(problems.join('; '))}`];
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
    `The list has ${size}: models choose poorly among so many, and every conversation pays the cost`,
    'Let models search for tools ("catalog.search" in nestjs-mcp), or split them across several endpoints',
  );
}

/** Callers with credentials may see tools that others do not. */
async function checkOpenTools(target: Target): Promise<Outcome | undefined> {
  if (target.sendsCredentials || isLoopbackUrl(target.publicUrl.href)) return undefined;
  const { entries: tools = [] } = (await listTools(target)) ?? {};
  const changing = tools.filter(isObject).filter(({ annotations }) => {
    return isObject(annotations) && annotations['readOnlyHint'] === false;
  });
  if (changing.length === 0) return undefined;
  return warning(
    `Anyone may call ${count(changing.length, 'tool')} that ${changing.length === 1 ? 'changes' : 'change'} something: ${listFirst(changing.map(({ name }) => quote(name)))}`,
    'Require tokens, and scopes for these tools',
  );
}

function isListOfTools(listed: readonly unknown[]): listed is readonly ListedTool[] {
  return listed.every(isObject);
}

/** Whether clients can read which extensions the server has (SEP-2133). */
export const EXTENSION_CHECKS: readonly Check[] = [{ id: 'extensions', run: checkDeclarations }];

/** A prefix in reverse-DNS form, and a name. */
const ID = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)*\/[a-z0-9](?:[\w.-]*[a-z0-9])?$/i;

/** Extensions of the protocol, whose specifications define the settings. */
const PUBLISHED = /^io\.modelcontextprotocol\//i;

/** An envelope around the settings, which such an extension's clients do not support. */
const ENVELOPE: ReadonlySet<string> = new Set(['id', 'config', 'specVersion', 'stability']);

async function checkDeclarations(target: Target): Promise<Outcome | undefined> {
  const asking = await selectRequester(target, ({ extensions }) => extensions !== undefined);
  if (asking === undefined) return undefined;
  const { extensions } = asking.capabilities;
  if (!isObject(extensions)) {
    return failure(
      '"extensions" is not an object',
      'Declare each extension under its id, with an object of settings',
    );
  }
  const unset = Object.keys(extensions).filter((id) => !isObject(extensions[id]));
  if (unset.length > 0) {
    return failure(
      `The settings of ${list(unset)} are not an object`,
      'Declare "{}" for an extension without settings',
    );
  }
  const wrapped = Object.entries(extensions).find(
    ([id, settings]) =>
      PUBLISHED.test(id) && Object.keys(settings as object).some((member) => ENVELOPE.has(member)),
  );
  if (wrapped !== undefined) {
    return failure(
      `${quote(wrapped[0])} is declared with more than its settings`,
      'Put the settings that its specification defines directly under its id, and nothing else',
    );
  }
  const odd = Object.keys(extensions).filter((id) => !ID.test(id));
  if (odd.length > 0) {
    return warning(
      `${list(odd)} cannot be used as an extension id`,
      'Use an id such as "com.example/reports"',
    );
  }
  const ids = Object.keys(extensions);
  return ids.length === 0 ? undefined : ok(`Clients can read the declared extensions: ${list(ids)}`);
}
