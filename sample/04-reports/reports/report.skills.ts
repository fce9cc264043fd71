import { Injectable } from '@nestjs/common';
import { Skill, type SkillContents } from 'nestjs-mcp';

/** What a model should know before it orders a report. */
@Injectable()
export class ReportSkills {
  @Skill({
    name: 'order-a-report',
    description: 'Order a report and wait for it. Use when somebody wants a subject written up.',
    frontmatter: { license: 'MIT' },
  })
  orderReport(): SkillContents {
    return {
      instructions: [
        '1. Call `write_report` with one topic, in the words of the user. It answers with a task.',
        '2. Look after the task as often as it says. Half-way it asks for the format: see [the formats](references/formats.md).',
        '3. Cancel the task if the user changes their mind. A second report of the same topic costs as much as the first.',
        '',
      ].join('\n'),
      files: {
        'references/formats.md': '- `html` for the web\n- `text` for everything else\n',
      },
    };
  }
}
