import { isObject } from '../protocol/json-rpc.js';

/** The id of the extension (MCP extension skills, "Extension Identifier"). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** The media type of a resource that is a folder (MCP extension skills, "Directory Resources"). */
export const DIRECTORY_TYPE = 'inode/directory';

/** The skill size that every host accepts (MCP extension skills, "Limits"). */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1_048_576 } as const;

/** The YAML frontmatter of a `SKILL.md`, as JSON. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A skill file, with the digest and the size of its content. */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` followed by 64 hexadecimal digits of the bytes' digest. */
  readonly digest: string;
  /** The number of bytes. */
  readonly size: number;
}

/** A skill as listed by servers (MCP extension skills, "Skill Entries"). */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: SkillFrontmatter;
  /** Every file of the skill, or `dynamic` if its content is generated when it is read. */
  readonly resources: readonly SkillResource[] | 'dynamic';
}

/**
 * Returns a skill's folder: its `SKILL.md` URI without the file name.
 *
 * @example
 * findSkillRoot('skill://acme/refunds/SKILL.md'); // skill://acme/refunds
 */
export function findSkillRoot(uri: string): string | undefined {
  const end = `/${SKILL_FILE}`;
  const root = uri.slice(0, -end.length);
  return uri.endsWith(end) && /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(root) ? root : undefined;
}

/**
 * Encodes a file path for a URI. Each name remains one segment.
 *
 * @example
 * encodePath('references/Forms & Fees.md'); // references/Forms%20%26%20Fees.md
 */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes the path. Returns `undefined` if its encoding differs from {@link encodePath}. */
export function decodePath(encoded: string): string | undefined {
  try {
    const path = encoded.split('/').map(decodeURIComponent).join('/');
    const isWhole = encoded.split('/').every((segment) => segment !== '');
    return isWhole && encodePath(path) === encoded ? path : undefined;
  } catch {
    return undefined;
  }
}

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
      `its "name" must be the last folder in its URI, but is ${JSON.stringify(name)}`,
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
      `"digest" of ${JSON.stringify(uri)} must be "sha256:" followed by 64 hexadecimal digits`,
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

/** Returns whether a value is a file's SHA-256 digest (MCP extension skills, "Resources"). */
function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

/** A `SKILL.md` does not follow the Agent Skills specification. */
export class SkillFormatError extends Error {
  override readonly name = 'SkillFormatError';
}
