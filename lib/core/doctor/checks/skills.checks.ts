import { isObject } from '../../protocol/json-rpc.js';
import { parseSkill, type Skill, SKILL_LIMITS, SKILLS_EXTENSION } from '../../skills/skill.js';
import { type Check, count, failure, ok, type Outcome, quote, warning } from '../finding.js';
import type { Target } from '../target.js';
import { type ListedPages, listPages, type Requester, selectRequester } from '../probe/requester.js';

/** Whether hosts can load the skills that the server lists. */
export const SKILLS_CHECKS: readonly Check[] = [{ id: 'skills', run: checkList }];

async function checkList(target: Target): Promise<Outcome | undefined> {
  const asking = await selectSkills(target);
  if (asking === undefined) return undefined;
  if (!isObject(asking.capabilities['resources'])) {
    return failure(
      'Skills are declared without "resources"',
      'Declare "resources": clients read skills as resources',
    );
  }
  const { entries, outcome } = await list(asking);
  if (outcome !== undefined || entries === undefined) return outcome;
  const problems = entries.flatMap(findProblem);
  if (problems[0] !== undefined)
    return failure(`A skill cannot be loaded: ${problems[0]}`, 'Correct the listed entry');
  return judge(entries.map(parseSkill));
}

function judge(skills: readonly Skill[]): Outcome {
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return warning(
      `Two skills have the name ${quote(twice)}`,
      'Rename one of them: users cannot distinguish them',
    );
  }
  const large = skills.find(isLarge);
  if (large !== undefined) {
    const fix = `Split it: hosts accept up to ${SKILL_LIMITS.files} files and ${SKILL_LIMITS.bytes} bytes`;
    return warning(`The skill ${quote(large.uri)} is too large for some hosts`, fix);
  }
  return ok(`Hosts can load everything that is listed: ${count(skills.length, 'skill')}`);
}

/** How to send requests about skills, and the skills that hosts can load. */
export interface LoadableSkills {
  readonly requester: Requester;
  readonly skills: readonly Skill[];
}

/** Lists the skills that hosts can load; empty if the server declares none. */
export async function listLoadable(target: Target): Promise<LoadableSkills | undefined> {
  const asking = await selectSkills(target);
  if (asking === undefined) return undefined;
  const { entries = [] } = await list(asking);
  return {
    requester: asking,
    skills: entries.filter((entry) => findProblem(entry).length === 0).map(parseSkill),
  };
}

function list({ request }: Requester): Promise<ListedPages> {
  return listPages((params) => request('skills/list', params), 'skills/list', 'skills');
}

function selectSkills(target: Target): Promise<Requester | undefined> {
  return selectRequester(
    target,
    ({ extensions }) => isObject(extensions) && isObject(extensions[SKILLS_EXTENSION]),
  );
}

function findProblem(entry: unknown): readonly string[] {
  try {
    parseSkill(entry);
    return [];
  } catch (error) {
    const uri = isObject(entry) && typeof entry['uri'] === 'string' ? entry['uri'] : 'an entry';
    return [`${quote(uri)}: ${quote(error instanceof Error ? error.message : String(error))}`];
  }
}

function isLarge({ resources }: Skill): boolean {
  if (resources === 'dynamic') return false;
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return resources.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes;
}
