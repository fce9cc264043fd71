import type { PanelProps } from './panel.js';
import { ChoiceColumns } from './choice-columns.js';
import { SkillView } from './skill-view.js';

/** The skills, and the chosen one. */
export function SkillPanel({ connection, chosen, open }: PanelProps) {
  const { skills } = connection.offer;
  const entries = skills.map(({ uri, name, description }) => ({ key: uri, title: name, text: description }));
  return (
    <ChoiceColumns
      invitation="Choose a skill"
      groups={[{ label: 'skills', entries, isListing: connection.isListing('skills') }]}
      chosen={chosen}
      onChoose={(uri) => open('skills', uri)}
      show={(uri) => {
        const skill = skills.find((one) => one.uri === uri);
        return skill && <SkillView key={uri} connection={connection} skill={skill} />;
      }}
    />
  );
}
