import type { SkillFrontmatter } from './skill.js';

/** Writes frontmatter as a `SKILL.md` begins with it; parsed again, it is the same. */
export async function formatFrontmatter(frontmatter: SkillFrontmatter): Promise<string> {
  const { stringify } = await import('yaml');
  return `---\n${stringify(frontmatter, { schema: 'core', lineWidth: 0 })}---\n`;
}
