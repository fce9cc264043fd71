import { describe, expect, it } from '@jest/globals';
import { Injectable, UseGuards, type Provider } from '@nestjs/common';
import { RequireScope, Skill } from 'nestjs-mcp';
import { describeSkill } from '../../../support/applications/skill-folder.js';
import { failToStart } from './fail-to-start.js';

describe('A provider', () => {
  const DESCRIPTION = 'Report';

  class Guard {
    canActivate(): boolean {
      return true;
    }
  }

  it.each<[string, () => Provider, string]>([
    [
      'without a description',
      () => {
        @Injectable()
        class Skills {
          @Skill()
          report() {
            return '';
          }
        }
        return Skills;
      },
      'The skill at "Skills.report" cannot be served: its frontmatter must have "description"',
    ],
    [
      'with a name that is none',
      () => {
        @Injectable()
        class Skills {
          @Skill({ name: 'Daily Report', description: DESCRIPTION })
          report() {
            return '';
          }
        }
        return Skills;
      },
      'its "name" must consist of lower-case letters',
    ],
    [
      'with a misspelt option',
      () => {
        @Injectable()
        class Skills {
          @Skill({ descripton: DESCRIPTION } as object)
          report() {
            return '';
          }
        }
        return Skills;
      },
      '"descripton" (did you mean "description"?)',
    ],
    [
      'that gives no text',
      () => {
        @Injectable()
        class Skills {
          @Skill({ description: DESCRIPTION })
          report() {
            return 7;
          }
        }
        return Skills;
      },
      'it must return its instructions as a string',
    ],
    [
      'that gives frontmatter itself',
      () => {
        @Injectable()
        class Skills {
          @Skill({ description: DESCRIPTION })
          report() {
            return describeSkill('report');
          }
        }
        return Skills;
      },
      'its instructions begin with frontmatter',
    ],
    [
      'that fails',
      () => {
        @Injectable()
        class Skills {
          @Skill({ description: DESCRIPTION })
          report(): string {
            throw new Error('no database');
          }
        }
        return Skills;
      },
      'the method failed: no database',
    ],
    [
      'with a file that leads out',
      () => {
        @Injectable()
        class Skills {
          @Skill({ description: DESCRIPTION })
          report() {
            return { instructions: '', files: { '../x.md': '' } };
          }
        }
        return Skills;
      },
      'its file "../x.md" needs a path such as "references/fees.md"',
    ],
    [
      'with a guard that would not run',
      () => {
        @Injectable()
        class Skills {
          @UseGuards(Guard)
          @Skill({ description: DESCRIPTION })
          report() {
            return '';
          }
        }
        return Skills;
      },
      'guards do not run for a skill that is generated once',
    ],
    [
      'that is a class without contents',
      () => {
        @Injectable()
        @Skill({ description: DESCRIPTION })
        class Skills {}
        return Skills;
      },
      'the class needs a method "contents()", or the option "directory"',
    ],
    [
      'with a folder for a method',
      () => {
        @Injectable()
        class Skills {
          @Skill({ directory: 'skills' })
          report() {
            return '';
          }
        }
        return Skills;
      },
      '"directory" is for classes',
    ],
    [
      'with two skills of one name',
      () => {
        @Injectable()
        class Skills {
          @Skill({ name: 'report', description: DESCRIPTION })
          one() {
            return '';
          }

          @Skill({ name: 'report', description: DESCRIPTION })
          two() {
            return '';
          }
        }
        return Skills;
      },
      'is already used by the skill at "Skills.one"',
    ],
    [
      'with scopes that depend on the call',
      () => {
        @Injectable()
        class Skills {
          @Skill({ description: DESCRIPTION })
          @RequireScope(() => 'desk:read')
          report() {
            return '';
          }
        }
        return Skills;
      },
      'its scopes depend on a call, but skills are not called',
    ],
  ])('%s keeps the server from starting (XTN-01) (MOD-11)', async (_case, build, text) => {
    const failure = await failToStart({}, [build()]);
    expect(failure.name).toBe('SkillError');
    expect(failure.message).toContain(text);
  });

  it('cannot have a skill on a static method (XTN-01)', () => {
    expect(() => {
      class Skills {
        @Skill({ description: DESCRIPTION })
        static report() {
          return '';
        }
      }
      return Skills;
    }).toThrow('@Skill() on "Skills.report" is on a static method: remove "static"');
  });
});
