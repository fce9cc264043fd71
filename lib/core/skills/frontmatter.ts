import type { OpenObject } from '../protocol/capabilities.js';
import { isObject } from '../protocol/json-rpc.js';
import { SkillFormatError, type SkillFrontmatter } from './skill.js';

/** The length within which the frontmatter must end. */
const MOST_CHARACTERS = 65_536;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses the YAML frontmatter at the start of a `SKILL.md` into JSON.
 *
 * @throws {SkillFormatError} if there is none, or it is not YAML 1.2 that JSON can represent
 * @see https://agentskills.io/specification
 */
export async function parseFrontmatter(text: string): Promise<OpenObject> {
  const source = selectFrontmatter(text);
  // Without skills, the parser is not loaded.
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(source, { schema: 'core' });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return readJson(document.toJS());
  } catch (error) {
    if (error instanceof SkillFormatError) throw error;
    throw new SkillFormatError(`its frontmatter is not YAML: ${explain(error)}`, { cause: error });
  }
}

/** The parser's codes for a value that YAML interprets differently than its author intended. */
const UNQUOTED = new Set<unknown>([
  'BAD_SCALAR_START',
  'BLOCK_AS_IMPLICIT_KEY',
  'TAG_RESOLVE_FAILED',
  'UNEXPECTED_TOKEN',
]);

function explain(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const reason = line.replace(/:$/, '');
  const isUnquoted = error instanceof Error && UNQUOTED.has(Reflect.get(error, 'code'));
  return isUnquoted
    ? `${reason}; put the value in quotes, as in description: "Use when: a customer asks"`
    : reason;
}

/** Selects the lines between the first two lines of `---`. */
function selectFrontmatter(text: string): string {
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const lines = text.slice(start, start + MOST_CHARACTERS).split(/\r?\n/);
  const isFence = (line: string | undefined): boolean => line !== undefined && /^---[ \t]*$/.test(line);
  const end = isFence(lines[0]) ? lines.findIndex((line, index) => index > 0 && isFence(line)) : -1;
  if (end > 0) return lines.slice(1, end).join('\n');
  throw new SkillFormatError('it must start with frontmatter: YAML between two lines of "---"');
}

function readJson(value: unknown): OpenObject {
  if (!isObject(value)) throw new SkillFormatError('its frontmatter must have properties such as "name"');
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'number' || Number.isFinite(member)) return member;
    throw new SkillFormatError(`its frontmatter has the number ${member}, which JSON cannot represent`);
  });
  return JSON.parse(text) as OpenObject;
}

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Validates frontmatter against the Agent Skills specification; unknown fields are allowed.
 *
 * @throws {SkillFormatError} for the first invalid field
 * @see https://agentskills.io/specification
 */
export function assertSkillFrontmatter(
  frontmatter: OpenObject,
): asserts frontmatter is OpenObject & SkillFrontmatter {
  const { name, description, license, compatibility, metadata } = frontmatter;
  assertText('name', name, LONGEST_NAME);
  if (!NAME.test(name)) {
    throw new SkillFormatError(
      `its "name" must consist of lower-case letters, digits and single hyphens between them, as in "pdf-processing", but is ${JSON.stringify(name)}`,
    );
  }
  assertText('description', description, LONGEST_DESCRIPTION);
  if (compatibility !== undefined) assertText('compatibility', compatibility, LONGEST_COMPATIBILITY);
  if (license !== undefined && typeof license !== 'string') {
    throw new SkillFormatError('its "license" must be a string');
  }
  if (metadata !== undefined && !isObject(metadata)) {
    throw new SkillFormatError('its "metadata" must be an object');
  }
}

function assertText(field: string, value: unknown, longest: number): asserts value is string {
  if (value === undefined) throw new SkillFormatError(`its frontmatter must have "${field}"`);
  if (typeof value === 'string' && value.trim() !== '' && [...value].length <= longest) return;
  throw new SkillFormatError(`its "${field}" must be a string of 1 to ${longest} characters`);
}

/** Formats frontmatter for a `SKILL.md`; parsing returns the same. */
export async function formatFrontmatter(frontmatter: SkillFrontmatter): Promise<string> {
  const { stringify } = await import('yaml');
  return `---\n${stringify(frontmatter, { schema: 'core', lineWidth: 0 })}---\n`;
}
