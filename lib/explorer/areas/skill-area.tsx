import type { AreaProps } from './area.js';
import { EntryList } from './entry-list.js';
import { SkillView } from './skill-view.js';

/** The skills, and the one that is chosen. */
export function SkillArea({ connection, chosen, open }: AreaProps) {
  const { skills } = connection.offer;
  const skill = skills.find(({ uri }) => uri === chosen);
  return (
    <div class="columns">
      <section aria-label="Choose a skill">
        <EntryList
          label="skills"
          entries={skills.map(({ uri, name, description }) => ({ key: uri, title: name, text: description }))}
          chosen={chosen}
          onChoose={(uri) => open('skills', uri)}
        />
      </section>
      {skill !== undefined && <SkillView key={skill.uri} connection={connection} skill={skill} />}
    </div>
  );
}
