import { isObject } from '../../protocol/json-rpc.js';
import { parseSkill } from '../../skills/parse-skill.js';
import { SKILL_LIMITS, SKILLS_EXTENSION, type Skill } from '../../skills/skill.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { selectAsking, type Asking } from '../probe/select-asking.js';
import { quote } from '../quote.js';

/** Whether hosts can take the skills that the server lists. */
export const SKILLS_CHECKS: readonly Check[] = [{ id: 'skills', run: checkList }];

/** A longer list is examined so far. */
const MOST_PAGES = 20;

async function checkList(patient: Patient): Promise<Outcome | undefined> {
  const asking = await selectSkills(patient);
  if (asking === undefined) return undefined;
  if (!isObject(asking.capabilities['resources'])) {
    return fault(
      'Skills are declared without "resources"',
      'Declare "resources": clients read skills by them',
    );
  }
  const entries = await list(asking);
  if (entries === undefined) {
    return fault('"skills/list" is answered without a list of skills', 'Answer it with "skills", an array');
  }
  const faults = entries.flatMap(findFault);
  if (faults[0] !== undefined)
    return fault(`A skill cannot be loaded: ${faults[0]}`, 'Correct the entry that is listed');
  return judge(entries.map(parseSkill));
}

function judge(skills: readonly Skill[]): Outcome {
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return warning(
      `Two skills have the name ${quote(twice)}`,
      'Rename one of them: people cannot tell them apart',
    );
  }
  const large = skills.find(isLarge);
  if (large !== undefined) {
    const remedy = `Divide it: hosts take ${SKILL_LIMITS.files} files and ${SKILL_LIMITS.bytes} bytes`;
    return warning(`The skill ${quote(large.uri)} is too large for some hosts`, remedy);
  }
  return ok(`Hosts can load what is listed: ${count(skills.length, 'skill')}`);
}

/** How a server can be asked for its skills, and those of them that hosts can load. */
export interface LoadableSkills {
  readonly asking: Asking;
  readonly skills: readonly Skill[];
}

/** Lists the skills that hosts can load; nothing if the server declares none. */
export async function listLoadable(patient: Patient): Promise<LoadableSkills | undefined> {
  const asking = await selectSkills(patient);
  const entries = asking && (await list(asking));
  if (asking === undefined || entries === undefined) return undefined;
  return { asking, skills: entries.filter((entry) => findFault(entry).length === 0).map(parseSkill) };
}

/** Reads the list; what is refused or too long to be read here ends it. */
async function list({ ask }: Asking): Promise<readonly unknown[] | undefined> {
  const entries: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, result, error, isComplete } = await ask(
      'skills/list',
      cursor === undefined ? {} : { cursor },
    );
    if (result === undefined && (status >= 400 || (error !== undefined && page > 0) || !isComplete)) break;
    const skills: unknown = result?.['skills'];
    if (!Array.isArray(skills)) return undefined;
    entries.push(...(skills as readonly unknown[]));
    cursor = result?.['nextCursor'];
    if (cursor === undefined) break;
  }
  return entries;
}

function selectSkills(patient: Patient): Promise<Asking | undefined> {
  return selectAsking(
    patient,
    ({ extensions }) => isObject(extensions) && isObject(extensions[SKILLS_EXTENSION]),
  );
}

function findFault(entry: unknown): readonly string[] {
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

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
