import { isObject } from '../protocol/json-rpc.js';
import { SkillFormatError } from './skill-format.error.js';
import { findSkillRoot, type Skill, type SkillFrontmatter, type SkillResource } from './skill.js';

/**
 * Parses a listed skill.
 *
 * @throws {SkillFormatError} if hosts must not load it
 * @see MCP extension skills, "Skill Entries"
 */
export function parseSkill(entry: unknown): Skill {
  const { uri, frontmatter, resources } = isObject(entry) ? entry : {};
  const root = typeof uri === 'string' ? findSkillRoot(uri) : undefined;
  if (typeof uri !== 'string' || root === undefined) {
    throw new SkillFormatError('its "uri" must end with "/SKILL.md"');
  }
  return {
    uri,
    frontmatter: parseFrontmatterOf(root, frontmatter),
    resources: resources === 'dynamic' ? resources : parseResources(uri, root, resources),
  };
}

function parseFrontmatterOf(root: string, frontmatter: unknown): SkillFrontmatter {
  const { name, description } = isObject(frontmatter) ? frontmatter : {};
  if (typeof name !== 'string' || typeof description !== 'string') {
    throw new SkillFormatError('its "frontmatter" must have the strings "name" and "description"');
  }
  if (root.slice(root.lastIndexOf('/') + 1) !== name) {
    throw new SkillFormatError(
      `its "name" must be the last folder of its URI, but is ${JSON.stringify(name)}`,
    );
  }
  return frontmatter as SkillFrontmatter;
}

function parseResources(uri: string, root: string, resources: unknown): readonly SkillResource[] {
  if (!Array.isArray(resources)) throw new SkillFormatError('its "resources" must be an array, or "dynamic"');
  const parsed = resources.map((resource) => parseResource(root, resource));
  const uris = new Set(parsed.map((resource) => resource.uri));
  if (uris.size < parsed.length) throw new SkillFormatError('its "resources" must list each file once');
  if (!uris.has(uri)) throw new SkillFormatError('its "resources" must list its SKILL.md');
  return parsed;
}

function parseResource(root: string, resource: unknown): SkillResource {
  const { uri, digest, size } = isObject(resource) ? resource : {};
  if (typeof uri !== 'string' || !isWithin(root, uri)) {
    throw new SkillFormatError('each of its "resources" must have a "uri" in its folder');
  }
  if (!isDigest(digest)) {
    throw new SkillFormatError(
      `"digest" of ${JSON.stringify(uri)} must be "sha256:" and 64 hexadecimal digits`,
    );
  }
  if (!Number.isSafeInteger(size) || (size as number) < 0) {
    throw new SkillFormatError(`"size" of ${JSON.stringify(uri)} must be a number of bytes`);
  }
  return { uri, digest, size: size as number };
}

/** A client that resolves dot segments must not leave the folder. */
function isWithin(root: string, uri: string): boolean {
  return uri.startsWith(`${root}/`) && !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(uri.slice(root.length + 1));
}

/** Returns whether a value is the SHA-256 digest of a file (MCP extension skills, "Resources"). */
function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
