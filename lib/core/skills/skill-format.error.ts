/** A `SKILL.md` does not follow the Agent Skills specification. */
export class SkillFormatError extends Error {
  override readonly name = 'SkillFormatError';
}
