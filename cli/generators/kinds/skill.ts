import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className, dashed, title, words }: HandlerFacts): string {
  return `import { Injectable } from '@nestjs/common';
import { Skill, type SkillContents, type SkillSource } from 'nestjs-mcp';

const INSTRUCTIONS = \`# ${title}

1. Ask what the user needs, unless they have said so.
2. Fill in \\\`templates/answer.md\\\`.
3. Show the result, and ask whether it is correct.\`;

const ANSWER = \`## Summary

## Next steps
\`;

/** A starting point: replace the instructions for the model. */
@Injectable()
@Skill({
  name: '${dashed}',
  description: 'Answers questions about ${words}. Use when the user asks.',
})
export class ${className} implements SkillSource {
  contents(): SkillContents {
    return {
      instructions: INSTRUCTIONS,
      files: { 'templates/answer.md': ANSWER },
    };
  }
}
`;
}

function formatTests({ dashed, words }: HandlerFacts): string {
  const uri = `skill://${dashed}`;
  return `it('describes when to use it, and what to do', async () => {
  const { contents } = await client.readResource({
    uri: '${uri}/SKILL.md',
  });
  const text = JSON.stringify(contents);
  expect(text).toContain('name: ${dashed}');
  expect(text).toContain('Answers questions about ${words}.');
  expect(text).toContain('Fill in');
});

it('serves the files that it mentions', async () => {
  const { contents } = await client.readResource({
    uri: '${uri}/templates/answer.md',
  });
  expect(JSON.stringify(contents)).toContain('## Summary');
});`;
}

/** A skill with a file, which a provider builds. */
export const skill: HandlerKind = {
  suffix: 'skill',
  isAssigned: true,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: { decorator: 'Skill', member: 'name', value: facts.dashed },
  }),
};
