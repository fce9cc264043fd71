import { onlyGiven } from '../only-given.js';
import type { SkillDirectory, SkillsOptions } from './skills-options.interface.js';

/** The method of a class that is a skill. */
export const CONTENTS_METHOD = 'contents';

/** How skills are served, with every default filled in. */
export interface SkillsSettings {
  readonly directories: readonly SkillDirectory[];
  readonly watch: boolean;
  readonly maximumSkills: number;
}

/** Fills every default in. */
export function buildSkillsSettings({ directory = [], ...others }: SkillsOptions = {}): SkillsSettings {
  const given = Array.isArray(directory) ? (directory as readonly (string | SkillDirectory)[]) : [directory];
  return {
    directories: given.map((one) => (typeof one === 'string' ? { path: one } : (one as SkillDirectory))),
    watch: process.env['NODE_ENV'] !== 'production',
    maximumSkills: 1000,
    ...onlyGiven(others),
  };
}
