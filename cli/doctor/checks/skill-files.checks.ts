import { isDeepStrictEqual } from 'node:util';
import { type Check, failure, ok, type Outcome, quote } from '../../../lib/core/doctor/finding.js';
import { listLoadable } from '../../../lib/core/doctor/checks/skills.checks.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import type { Requester } from '../../../lib/core/doctor/probe/requester.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { formatDigest } from '../../../lib/core/skills/digest.js';
import { parseFrontmatter } from '../../../lib/core/skills/frontmatter.js';
import type { Skill, SkillResource } from '../../../lib/core/skills/skill.js';

/** Whether the files of skills are those that are listed. */
export const SKILL_FILES_CHECKS: readonly Check[] = [{ id: 'skill-files', run: checkFiles }];

/** Files that are read, of all skills together: their own SKILL.md files come first. */
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
    // What a token or this program's own bounds keep back is not broken.
    if (bytes === undefined) continue;
    const found = await compare(skill, resource, bytes);
    if (found !== undefined)
      return failure(found, 'List each file as it is served: "size" and "digest" are those of its bytes');
    read += 1;
  }
  return read === 0
    ? undefined
    : ok(`Files are what their skills say: ${read} file${read === 1 ? '' : 's'} compared`);
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
