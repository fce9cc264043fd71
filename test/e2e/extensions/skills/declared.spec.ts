import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, type Type } from '@nestjs/common';
import { Skill, type McpOptions, type SkillContents } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';
import { failToStart } from './fail-to-start.js';

const description = 'Report';

let folder: SkillFolder | undefined;
let server: RunningApp | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
  folder?.remove();
  folder = undefined;
});

const ask = (method: string, params = {}) => perRequest(server?.url ?? '').request(method, params);
const list = async () =>
  entriesOf((await ask('skills/list')).result, 'skills').map(({ uri }) =>
    String(uri).slice('skill://'.length),
  );

describe('A skill that has no name of its own', () => {
  it('is called as its method or its class is, as skills are written (XTN-01)', async () => {
    @Injectable()
    class Skills {
      @Skill({ description })
      weeklyReport() {
        return '';
      }

      @Skill({ description })
      HTTPRequestsOf2024InUSA() {
        return '';
      }

      @Skill({ description, prefix: 'acme' })
      x() {
        return '';
      }
    }

    @Injectable()
    @Skill({ description })
    class SkillsOfOthersSkill {
      contents() {
        return '';
      }
    }
    server = await bootServer({ providers: [Skills, SkillsOfOthersSkill] });
    expect(await list()).toEqual([
      'weekly-report/SKILL.md',
      'http-requests-of2024-in-usa/SKILL.md',
      'acme/x/SKILL.md',
      'skills-of-others/SKILL.md',
    ]);
  });
});

describe('The skills that an application declares', () => {
  it('are found once each, on controllers too, and not on what stands for another provider (XTN-01)', async () => {
    @Injectable()
    class Skills {
      @Skill({ description })
      one() {
        return '';
      }
    }

    @Controller()
    class Pages {
      @Skill({ description })
      two() {
        return '';
      }
    }
    const alias = { provide: 'alias', useExisting: Skills };
    server = await bootServer({ providers: [Skills, alias], controllers: [Pages] });
    expect(await list()).toEqual(['one/SKILL.md', 'two/SKILL.md']);
  });

  it('are a class and its methods, and not those of what it extends as a class (XTN-01)', async () => {
    @Injectable()
    @Skill({ description })
    class Reports {
      contents() {
        return 'all';
      }

      @Skill({ description })
      daily() {
        return 'daily';
      }
    }

    @Injectable()
    class Special extends Reports {
      @Skill({ description })
      override daily() {
        return 'special';
      }

      @Skill({ description })
      special() {
        return 'special';
      }
    }
    server = await bootServer({ providers: [Reports] });
    expect(await list()).toEqual(['reports/SKILL.md', 'daily/SKILL.md']);
    await server.close();
    server = await bootServer({ providers: [Special] });
    expect((await list()).toSorted()).toEqual(['daily/SKILL.md', 'special/SKILL.md']);
  });

  it('have frontmatter as JSON has it, over which the options take precedence in no field (XTN-01)', async () => {
    @Injectable()
    class Skills {
      @Skill({
        description,
        frontmatter: { license: undefined, metadata: { since: new Date(0), none: undefined } },
      })
      report() {
        return '';
      }
    }
    server = await bootServer({ providers: [Skills] });
    const { result } = await ask('skills/get', { uri: 'skill://report/SKILL.md' });
    expect(result?.['skill']).toHaveProperty('frontmatter', {
      name: 'report',
      description,
      metadata: { since: '1970-01-01T00:00:00.000Z' },
    });
  });
});

describe('A skill that is made for each caller', () => {
  it('fails for a caller for whom it is not what it must be, and for nobody else (XTN-01)', async () => {
    @Injectable()
    class Skills {
      @Skill({ description, dynamic: true })
      live({ uri }: { uri: string }): SkillContents {
        if (uri.endsWith('bad.md')) return { instructions: 7 as never };
        return { instructions: '', files: { 'a/b/c.md': 'c', 'a/d.md': 'd', 'e.md': 'e' } };
      }
    }
    server = await bootServer({ providers: [Skills] });
    expect((await ask('resources/read', { uri: 'skill://live/bad.md' })).error?.code).toBe(-32603);
    expect((await ask('resources/read', { uri: 'skill://live/none.md' })).error?.code).toBe(-32602);
    expect((await ask('resources/read', { uri: 'skill://live/e.md' })).result).toBeDefined();
    const children = async (path: string) => {
      const { result, error } = await ask('resources/directory/read', { uri: `skill://live${path}` });
      return (
        error?.code ??
        entriesOf(result, 'resources').map(({ name, mimeType }) => `${String(name)} ${String(mimeType)}`)
      );
    };
    // By the names of the files: SKILL.md is shown by the name of the skill.
    expect(await children('')).toEqual(['live text/markdown', 'a inode/directory', 'e.md text/markdown']);
    expect(await children('/a')).toEqual(['b inode/directory', 'd.md text/markdown']);
    expect(await children('/a/b')).toEqual(['c.md text/markdown']);
    for (const path of ['/a/b/c.md', '/a/', '/b', '/a/b/c.md/d', '/e'])
      expect(await children(path)).toBe(-32602);
  });
});

describe('A class with a folder', () => {
  const declare = (directory: string, options: object = {}): Type => {
    class Skills {}
    Injectable()(Skills);
    Skill({ directory, ...options })(Skills);
    return Skills;
  };

  const skills: McpOptions['skills'] = {};

  it('serves it with all skills in it, which may be called by their name (XTN-01)', async () => {
    folder = new SkillFolder(
      { 'SKILL.md': describeSkill('shop'), 'prices/SKILL.md': describeSkill('prices') },
      'shop',
    );
    server = await bootServer({ providers: [declare(folder.path, { prefix: 'acme', name: 'shop' })] });
    expect(await list()).toEqual(['acme/shop/SKILL.md', 'acme/shop/prices/SKILL.md']);
  });

  it('keeps the server from starting if it is no skill itself (XTN-01) (MOD-11)', async () => {
    folder = new SkillFolder({ 'prices/SKILL.md': describeSkill('prices') });
    const { message } = await failToStart({ skills }, [declare(folder.path)]);
    expect(message).toBe(
      `The skill at "Skills" cannot be served: the folder "${folder.path}" has no SKILL.md`,
    );
  });

  it.each([{ name: 'store' }, { description }, { description: '', name: 'shop' }])(
    'keeps the server from starting if it says %j, which SKILL.md does (XTN-01) (MOD-11)',
    async (options) => {
      folder = new SkillFolder({ 'SKILL.md': describeSkill('shop') }, 'shop');
      const { message } = await failToStart({}, [declare(folder.path, options)]);
      expect(message).toMatch(/already defines "name" and "description": remove these options|"description"/);
    },
  );
});
