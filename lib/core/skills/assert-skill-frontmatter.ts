import type { OpenObject } from '../protocol/capabilities.js';
import { isObject } from '../protocol/json-rpc.js';
import type { SkillFrontmatter } from './skill.js';
import { SkillFormatError } from './skill-format.error.js';

const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_COMPATIBILITY = 500;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Validates frontmatter against the Agent Skills specification; unknown fields are allowed.
 *
 * @throws {SkillFormatError} for the first wrong field
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
