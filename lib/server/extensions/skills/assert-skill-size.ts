import { SKILL_LIMITS } from '../../../core/skills/skill.js';
import { SkillError } from './skill.error.js';

/**
 * Refuses a skill that not every host accepts.
 *
 * @param sizes of its files, in bytes
 * @throws {SkillError} if it has too many files, or they are too large together
 */
export function assertSkillSize(place: string, sizes: readonly number[]): void {
  const { files, bytes: mostBytes } = SKILL_LIMITS;
  if (sizes.length > files) {
    throw new SkillError(place, `it has ${sizes.length} files, and hosts take ${files}`);
  }
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes > mostBytes)
    throw new SkillError(place, `its files have ${bytes} bytes, and hosts take ${mostBytes}`);
}
