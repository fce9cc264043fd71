/** The id of the extension (MCP extension skills, "Extension Identifier"). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** The media type of a resource that is a folder (MCP extension skills, "Directory Resources"). */
export const DIRECTORY_TYPE = 'inode/directory';

/** The size of a skill that every host accepts (MCP extension skills, "Limits"). */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1_048_576 } as const;

/** The YAML frontmatter of a `SKILL.md`, as JSON. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A file of a skill, with the digest and the size of its content. */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits of the bytes. */
  readonly digest: string;
  /** The number of bytes. */
  readonly size: number;
}

/** A skill as servers list it (MCP extension skills, "Skill Entries"). */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: SkillFrontmatter;
  /** Every file of the skill, or `dynamic` if its content is generated when it is read. */
  readonly resources: readonly SkillResource[] | 'dynamic';
}

/**
 * Returns the folder of a skill: the URI of its `SKILL.md` without the name of the file.
 *
 * @example
 * findSkillRoot('skill://acme/refunds/SKILL.md'); // skill://acme/refunds
 */
export function findSkillRoot(uri: string): string | undefined {
  const end = `/${SKILL_FILE}`;
  const root = uri.slice(0, -end.length);
  return uri.endsWith(end) && /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(root) ? root : undefined;
}
