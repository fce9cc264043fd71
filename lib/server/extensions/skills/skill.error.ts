import { SKILL_LIMITS } from '../../../core/skills/skill.js';

/** Thrown if a skill cannot be served. */
export class SkillError extends Error {
  override readonly name = 'SkillError';

  constructor(
    /** The folder, or the class and the method. */
    readonly place: string,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(`The skill at "${place}" cannot be served: ${explanation}`, options);
  }
}

/**
 * Rejects a skill that exceeds host limits.
 *
 * @param sizes the sizes of its files, in bytes
 * @throws {SkillError} if there are too many files, or they are too large in total
 */
export function assertSkillSize(place: string, sizes: readonly number[]): void {
  const { files, bytes: mostBytes } = SKILL_LIMITS;
  if (sizes.length > files) {
    throw new SkillError(place, `it has ${sizes.length} files, but hosts accept at most ${files}`);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > mostBytes)
    throw new SkillError(place, `its files have ${bytes} bytes, but hosts accept at most ${mostBytes}`);
}
