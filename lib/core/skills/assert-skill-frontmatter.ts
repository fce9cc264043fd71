import type { OpenObject } from '../protocol/capabilities.js';
import { isObject } from '../protocol/json-rpc.js';
import type { SkillFrontmatter } from './skill.js';
import { SkillFormatError } from './skill-format.error.js';

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Checks what frontmatter says by the Agent Skills specification; fields that it does not know are let through.
 *
 * @throws {SkillFormatError} that names the first field that is wrong
 * @see https://agentskills.io/specification
 */
export function assertSkillFrontmatter(
  frontmatter: OpenObject,
): asserts frontmatter is OpenObject & SkillFrontmatter {
  const { name, description, license, compatibility, metadata } = frontmatter;
  assertText('name', name, LONGEST_NAME);
  if (!NAME.test(name)) {
    throw new SkillFormatError(
      `its "name" must have lower-case letters, digits and single hyphens between them, as in "pdf-processing", and is ${JSON.stringify(name)}`,
    );
  }
  assertText('description', description, LONGEST_DESCRIPTION);
  if (compatibility !== undefined) assertText('compatibility', compatibility, LONGEST_COMPATIBILITY);
  if (license !== undefined && typeof license !== 'string') {
    throw new SkillFormatError('its "license" must be a text');
  }
  if (metadata !== undefined && !isObject(metadata)) {
    throw new SkillFormatError('its "metadata" must have members');
  }
}

function assertText(field: string, value: unknown, longest: number): asserts value is string {
  if (value === undefined) throw new SkillFormatError(`its frontmatter must have "${field}"`);
  if (typeof value === 'string' && value.trim() !== '' && [...value].length <= longest) return;
  throw new SkillFormatError(`its "${field}" must be a text of 1 to ${longest} characters`);
}
