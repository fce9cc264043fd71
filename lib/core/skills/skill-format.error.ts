/** A `SKILL.md` is not one by the Agent Skills specification. */
export class SkillFormatError extends Error {
  override readonly name = 'SkillFormatError';
}
