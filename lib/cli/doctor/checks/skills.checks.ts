import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { formatDigest } from '../../../core/skills/digest.js';
import { parseFrontmatter } from '../../../core/skills/parse-frontmatter.js';
import { parseSkill } from '../../../core/skills/parse-skill.js';
import {
  SKILL_LIMITS,
  SKILLS_EXTENSION,
  type Skill,
  type SkillResource,
} from '../../../core/skills/skill.js';
import type { Check } from '../check.interface.js';
import { fault, ok, warning, type Outcome } from '../finding.js';
import type { Patient } from '../patient.js';
import { selectAsking, type Asking } from '../probe/select-asking.js';
import { quote } from '../quote.js';

/** Whether hosts can take the skills that the server lists. */
export const SKILLS_CHECKS: readonly Check[] = [
  { id: 'skills', run: checkList },
  { id: 'skill-files', run: checkFiles },
];

/** A longer list is examined so far. */
const MOST_PAGES = 20;
/** Files that are read, of all skills together: their own SKILL.md files come first. */
const MOST_FILES = 10;

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

async function checkFiles(patient: Patient): Promise<Outcome | undefined> {
  const asking = await selectSkills(patient);
  const skills = asking && (await list(asking))?.flatMap(parseWhole);
  if (asking === undefined || skills === undefined || skills.length === 0) return undefined;
  const chosen = skills
    .flatMap((skill) => select(skill))
    .toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
  let read = 0;
  for (const { skill, resource } of chosen.slice(0, MOST_FILES)) {
    const bytes = await readFile(asking, resource.uri);
    // What a token or this program's own bounds keep back is not broken.
    if (bytes === undefined) continue;
    const found = await compare(skill, resource, bytes);
    if (found !== undefined)
      return fault(found, 'List each file as it is served: "size" and "digest" are those of its bytes');
    read += 1;
  }
  return read === 0 ? undefined : ok(`Files are what their skills say: ${count(read, 'file')} compared`);
}

async function compare(
  skill: Skill,
  { uri, size, digest }: SkillResource,
  bytes: Buffer,
): Promise<string | undefined> {
  if (bytes.byteLength !== size)
    return `${quote(uri)} has ${bytes.byteLength} bytes, and its skill says ${size}`;
  if (formatDigest(bytes) !== digest) return `${quote(uri)} has another digest than its skill says`;
  if (uri !== skill.uri) return undefined;
  const frontmatter = await parseFrontmatter(bytes.toString()).catch(() => undefined);
  const isSame = isDeepStrictEqual(frontmatter, JSON.parse(JSON.stringify(skill.frontmatter)));
  return isSame ? undefined : `${quote(uri)} has other frontmatter than its skill says`;
}

async function readFile({ ask }: Asking, uri: string): Promise<Buffer | undefined> {
  const { result, isComplete } = await ask('resources/read', { uri }, { 'mcp-name': uri });
  const contents: unknown = result?.['contents'];
  const content: unknown = Array.isArray(contents) ? contents[0] : undefined;
  if (!isComplete || !isObject(content)) return undefined;
  const { text, blob } = content;
  if (typeof text === 'string') return Buffer.from(text);
  return typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
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

function parseWhole(entry: unknown): readonly Skill[] {
  return findFault(entry).length === 0 ? [parseSkill(entry)] : [];
}

function select(skill: Skill) {
  if (skill.resources === 'dynamic') return [];
  return skill.resources.map((resource) => ({ skill, resource, isOwn: resource.uri === skill.uri }));
}

function isLarge({ resources }: Skill): boolean {
  if (resources === 'dynamic') return false;
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return resources.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
