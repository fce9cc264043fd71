import type { AreaProps } from './area.js';
import { ChoiceColumns } from './choice-columns.js';
import { SkillView } from './skill-view.js';

/** The skills, and the one that is chosen. */
export function SkillArea({ connection, chosen, open }: AreaProps) {
  return (
    <ChoiceColumns
      label="skills"
      invitation="Choose a skill"
      items={connection.offer.skills}
      describe={({ uri, name, description }) => ({ key: uri, title: name, text: description })}
      chosen={chosen}
      onChoose={(uri) => open('skills', uri)}
      show={(skill) => <SkillView key={skill.uri} connection={connection} skill={skill} />}
    />
  );
}
