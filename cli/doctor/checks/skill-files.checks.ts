import { isDeepStrictEqual } from 'node:util';
import { type Check, failure, ok, type Outcome, quote } from '../../../lib/core/doctor/finding.js';
import { listLoadable } from '../../../lib/core/doctor/checks/skills.checks.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import type { Requester } from '../../../lib/core/doctor/probe/requester.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { formatDigest } from '../../../lib/core/skills/digest.js';
import { parseFrontmatter } from '../../../lib/core/skills/frontmatter.js';
import type { Skill, SkillResource } from '../../../lib/core/skills/skill.js';

/** Whether skill files match their listing. */
export const SKILL_FILES_CHECKS: readonly Check[] = [{ id: 'skill-files', run: checkFiles }];

/** The number of files to read from all skills together, starting with the SKILL.md files. */
const MOST_FILES = 10;

async function checkFiles(target: Target): Promise<Outcome | undefined> {
  const loadable = await listLoadable(target);
  if (loadable === undefined || loadable.skills.length === 0) return undefined;
  const { requester: asking, skills } = loadable;
  const chosen = skills
    .flatMap((skill) => select(skill))
    .toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
  let read = 0;
  for (const { skill, resource } of chosen.slice(0, MOST_FILES)) {
    const bytes = await readFile(asking, resource.uri);
    // A file that the token or a size limit excludes is not an error.
    if (bytes === undefined) continue;
    const found = await compare(skill, resource, bytes);
    if (found !== undefined)
      return failure(found, 'List the "size" and "digest" of the bytes that are served');
    read += 1;
  }
  return read === 0
    ? undefined
    : ok(`The files match their listing: ${read} file${read === 1 ? '' : 's'} compared`);
}

async function compare(
  skill: Skill,
  { uri, size, digest }: SkillResource,
  bytes: Buffer,
): Promise<string | undefined> {
  if (bytes.byteLength !== size)
    return `${quote(uri)} has ${bytes.byteLength} bytes, but is listed with ${size}`;
  if (formatDigest(bytes) !== digest) return `${quote(uri)} has a different digest than listed`;
  if (uri !== skill.uri) return undefined;
  const frontmatter = await parseFrontmatter(bytes.toString()).catch(() => undefined);
  const isSame = isDeepStrictEqual(frontmatter, JSON.parse(JSON.stringify(skill.frontmatter)));
  return isSame ? undefined : `${quote(uri)} has different frontmatter than listed`;
}

async function readFile({ request }: Requester, uri: string): Promise<Buffer | undefined> {
  const { result, isComplete } = await request('resources/read', { uri }, { 'mcp-name': uri });
  const contents: unknown = result?.['contents'];
  const content: unknown = Array.isArray(contents) ? contents[0] : undefined;
  if (!isComplete || !isObject(content)) return undefined;
  const { text, blob } = content;
  if (typeof text === 'string') return Buffer.from(text);
  return typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
}

function select(skill: Skill) {
  if (skill.resources === 'dynamic') return [];
  return skill.resources.map((resource) => ({ skill, resource, isOwn: resource.uri === skill.uri }));
}
