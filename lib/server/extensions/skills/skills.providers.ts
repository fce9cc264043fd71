import type { Provider } from '@nestjs/common';
import { SkillsList } from './methods/skills-list.js';
import { SkillsMethods } from './methods/skills-methods.js';
import { SkillExplorer } from './providers/skill.explorer.js';
import { SkillEntries } from './skill-entries.js';
import { SkillShelf } from './skill-shelf.js';
import { SkillsExtension } from './skills.extension.js';

/** What serves the skills of one server. */
export const SKILLS_PROVIDERS: readonly Provider[] = [
  SkillShelf,
  SkillEntries,
  SkillExplorer,
  SkillsList,
  SkillsMethods,
  SkillsExtension,
];
