import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../layer-table.js';

const readYaml = (file: string) => parse(readFileSync(join(ROOT, '.github', file), 'utf8')) as Form;

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: object;
  readonly steps: readonly Step[];
}

interface Form {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly on: object;
  readonly permissions: object;
  readonly updates: readonly { readonly directories?: readonly string[] }[];
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

describe('The workflow of a release', () => {
  const { jobs, on, permissions } = readYaml('workflows/release.yml');
  const { check, publish } = jobs;
  const commandsOf = (job: Job | undefined) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

  it('runs for tags alone, and may do nothing but prove where the package comes from (WAY-04)', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({ contents: 'read' });
    expect(check?.permissions).toBeUndefined();
    expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  it('runs nothing of others that could change under its name (WAY-04)', () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/@[\da-f]{40}$/);
  });

  it('checks by scripts that there are, and publishes when all of them have passed (WAY-04)', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = commandsOf(check).flatMap((run) => /^npm run ([\w:-]+)/.exec(run)?.[1] ?? []);
    expect(named).toEqual(['check', 'pack:check', 'test:install', 'vulnerabilities', 'prepublishOnly']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    expect(publish?.needs).toBe('check');
  });

  it('publishes the very file that was checked, and runs nothing else with the right to publish (WAY-04)', () => {
    const uses = ({ steps }: Job) => steps.flatMap((step) => step.uses?.split('@')[0] ?? []);
    expect(commandsOf(check)).toContain('mkdir release && npm pack --pack-destination release . ./cli');
    expect(uses(check as Job)).toContain('actions/upload-artifact');
    expect(uses(publish as Job)).toEqual(['actions/setup-node', 'actions/download-artifact']);
    expect(commandsOf(publish)).toEqual(['for file in ./*.tgz; do npm publish "$file"; done']);
  });
});

describe('The update bot', () => {
  it('looks where packages are installed from (WAY-04)', () => {
    const folders = readYaml('dependabot.yml').updates.flatMap(({ directories = [] }) => directories);
    const locked = ['test', 'tools'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(^|\/)package-lock\.json$/.test(file) && !file.includes('node_modules/'))
        .map((file) => join('/', folder, file, '..')),
    );
    expect(folders.length).toBeGreaterThan(1);
    expect([...folders].toSorted()).toEqual(['/', ...locked].toSorted());
  });
});

describe('The forms for issues', () => {
  it.each(['bug.yml', 'feature.yml'])('ask for what an answer needs: %s', (file) => {
    const { body } = readYaml(`ISSUE_TEMPLATE/${file}`);
    const asked = body.filter(({ type }) => type !== 'markdown');
    const ids = asked.map(({ id }) => id);
    expect(ids.every((id) => typeof id === 'string')).toBe(true);
    expect(new Set(ids).size).toBe(asked.length);
    for (const { attributes } of asked) expect(attributes).toHaveProperty('label');
  });

  it('lead to files that there are', () => {
    const text = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE'))
      .map((file) => readFileSync(join(ROOT, '.github/ISSUE_TEMPLATE', file), 'utf8'))
      .join('\n');
    const named = [...text.matchAll(/\b(?:docs\/[\w-]+|[A-Z]+)\.md\b/g)].map(([file]) => file);
    expect(named.length).toBeGreaterThan(1);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
