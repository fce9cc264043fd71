import type { HandlerFacts, HandlerKind } from '../handler-kind.interface.js';

function formatHandler({ className, dashed, title, words }: HandlerFacts): string {
  return `import { Injectable } from '@nestjs/common';
import { Skill, type SkillContents, type SkillSource } from 'nestjs-mcp';

const INSTRUCTIONS = \`# ${title}

1. Ask what is wanted, if it was not said.
2. Fill in \\\`templates/answer.md\\\`.
3. Show the result, and ask whether it is right.\`;

const ANSWER = \`## Summary

## What comes next
\`;

/** A skill to begin with: replace what a model is told to do. */
@Injectable()
@Skill({
  name: '${dashed}',
  description: 'Answers about ${words}. Use when somebody asks for that.',
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
  return `it('tells a model when to use it, and what to do', async () => {
  const { contents } = await client.readResource({
    uri: '${uri}/SKILL.md',
  });
  const text = JSON.stringify(contents);
  expect(text).toContain('name: ${dashed}');
  expect(text).toContain('Answers about ${words}.');
  expect(text).toContain('Fill in');
});

it('has the files that it speaks of', async () => {
  const { contents } = await client.readResource({
    uri: '${uri}/templates/answer.md',
  });
  expect(JSON.stringify(contents)).toContain('## Summary');
});`;
}

/** A skill with a file, made by a provider. */
export const skill: HandlerKind = {
  suffix: 'skill',
  isAssigned: true,
  build: (facts) => ({
    handler: formatHandler(facts),
    spec: { tests: formatTests(facts) },
    identity: { decorator: 'Skill', member: 'name', value: facts.dashed },
  }),
};
