import type { SkillFrontmatter } from './skill.js';

/** Formats frontmatter for a `SKILL.md`; parsing returns the same. */
export async function formatFrontmatter(frontmatter: SkillFrontmatter): Promise<string> {
  const { stringify } = await import('yaml');
  return `---\n${stringify(frontmatter, { schema: 'core', lineWidth: 0 })}---\n`;
}
