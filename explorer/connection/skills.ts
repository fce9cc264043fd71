import type { Client } from '@modelcontextprotocol/client';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { listPages } from './list-pages.js';

/** A skill file. */
export interface SkillFile {
  readonly uri: string;
  readonly size: number | undefined;
}

/** A skill in the server's list. */
export interface SkillEntry {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Absent if its files are generated for each caller. */
  readonly files: readonly SkillFile[] | undefined;
}

/** Lists a server's skills. */
export async function listSkills(client: Client): Promise<readonly SkillEntry[]> {
  return (await listPages(client, 'skills/list', 'skills')).flatMap(readSkill);
}

function readSkill(listed: Readonly<Record<string, unknown>>): readonly SkillEntry[] {
  const { uri, resources } = listed;
  if (typeof uri !== 'string') return [];
  const frontmatter = isObject(listed['frontmatter']) ? listed['frontmatter'] : {};
  const { name, description } = frontmatter;
  return [
    {
      uri,
      name: typeof name === 'string' ? name : uri,
      description: typeof description === 'string' ? description : undefined,
      frontmatter,
      files: Array.isArray(resources) ? resources.filter(isObject).flatMap(readFile) : undefined,
    },
  ];
}

/** Parses a file in a resource list. */
export function readFile({ uri, size }: Readonly<Record<string, unknown>>): readonly SkillFile[] {
  return typeof uri === 'string' ? [{ uri, size: typeof size === 'number' ? size : undefined }] : [];
}
