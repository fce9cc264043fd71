import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type PlantedSuite, type PlantedTest, runSuites } from './planted-suites.js';

const SUITE = `
  import { AsyncLocalStorage } from 'node:async_hooks';
  import { performance as machine } from 'node:perf_hooks';
  import { expect, it, jest } from '@jest/globals';
  import { Logger } from '@nestjs/common';
  import { door, suites } from './lib/door.js';
  import { visits } from './test/visits.js';

  const log = new Logger();
  let logged: unknown;

  it('the environment', () => {
    expect(process.env).not.toHaveProperty('PLANTED');
    process.env['PLANTED'] = 'left';
  });

  it('the listeners of the process', () => {
    expect(process.listenerCount('warning', left)).toBe(0);
    process.on('warning', left);
  });

  it('the globals', () => {
    expect(globalThis).not.toHaveProperty('planted');
    Object.assign(globalThis, { planted: true, fetch: left });
  });

  it('the replaced globals', () => {
    expect(structuredClone.name).toBe('structuredClone');
    Object.assign(globalThis, { structuredClone: left });
  });

  it('the folder', () => {
    expect(process.cwd()).not.toBe('/');
    process.chdir('/');
  });

  it('the clock', () => {
    expect(Date.now()).toBeGreaterThan(1000);
    expect(machine.now()).toBeGreaterThan(0);
    jest.useFakeTimers({ now: 0 });
    jest.spyOn(machine, 'now').mockReturnValue(-1);
    jest.useRealTimers();
    jest.useFakeTimers({ now: 0 });
  });

  it('the spies', () => {
    expect(door.open()).toBe('open');
    jest.spyOn(door, 'open').mockReturnValue('shut');
  });

  it('the matchers', () => {
    expect(expect).not.toHaveProperty('toBePlanted');
    expect(expect(1)).not.toHaveProperty('toBePlanted');
    expect.extend({ toBePlanted: () => ({ pass: true, message: () => '' }) });
  });

  it('the log of Nest', () => {
    expect(Object.values(Logger)).not.toContain(SILENT);
    Logger.overrideLogger(SILENT);
  });

  it('the form of stack traces', () => {
    expect(new Error().stack).toContain('.suite.ts');
    Error.prepareStackTrace = () => 'left';
  });

  it('the promises, which nobody watches', () => {
    expect(Object.getOwnPropertySymbols(Promise.resolve())).toEqual([]);
    new AsyncLocalStorage().enterWith('left');
  });

  it('the modules of tests', () => {
    expect(visits.push('left')).toBe(1);
  });

  it(\`the modules of lib, \${suites.push('left')}\`, () => undefined);

  function left(): void {}
  const SILENT = { log: left, warn: left, error: left };
`;

const FILES = {
  'one.suite.ts': SUITE,
  'other.suite.ts': SUITE,
  'lib/door.ts': `
    export const door = { open: (): string => 'open' };
    export const suites: string[] = [];
    export function fail(): never {
      throw new Error('The door is stuck');
    }
  `,
  'test/visits.ts': `export const visits: string[] = [];\n`,
  'failing.suite.ts': `
    import { it } from '@jest/globals';
    import { fail } from './lib/door.js';

    interface Nothing {
      readonly nothing: true;
    }

    it('fails', () => fail());
  `,
  'broken.suite.ts': `
    import { it } from '@jest/globals';
    import { door } from './lib/door.js';
    import { missing } from './missing.js';
    it('is never reached', () => void [door, missing]);
    // ${'The longest suite comes first. '.repeat(100)}
  `,
};

describe('Suites that share a process', () => {
  let suites: ReadonlyMap<string, PlantedSuite>;

  beforeAll(async () => {
    suites = new Map((await runSuites(FILES)).map((suite) => [basename(suite.name, '.suite.ts'), suite]));
  });

  const testsOf = (name: string): readonly PlantedTest[] => suites.get(name)?.assertionResults ?? [];
  const outcomesOf = (title: string) =>
    ['one', 'other'].map((name) => {
      const test = testsOf(name).find((one) => one.title === title);
      return test?.failureMessages.join() ?? `No "${title}" in "${name}"`;
    });

  it.each([
    'the environment',
    'the listeners of the process',
    'the globals',
    'the replaced globals',
    'the folder',
    'the clock',
    'the spies',
    'the matchers',
    'the log of Nest',
    'the form of stack traces',
    'the promises, which nobody watches',
    'the modules of tests',
  ])('find %s as in a new process', (title) => {
    expect(outcomesOf(title)).toEqual(['', '']);
  });

  it('share the modules of lib', () => {
    const titles = [...testsOf('one'), ...testsOf('other')].map(({ title }) => title);
    const shared = titles.filter((title) => title.startsWith('the modules of lib'));
    expect(shared.toSorted()).toEqual(['the modules of lib, 1', 'the modules of lib, 2']);
  });

  it('are told what cannot be found, and leave the others alone', () => {
    expect(suites.get('broken')?.message).toMatch(/broken\.suite\.ts" imports "\.\/missing\.js"/);
    expect(testsOf('one')).toHaveLength(13);
  });

  it('show where a source fails, not where what was made of it does', () => {
    const [message] = testsOf('failing').flatMap(({ failureMessages }) => failureMessages);
    expect(message).toContain('The door is stuck');
    expect(message).toMatch(/lib\/door\.ts:5:\d+[\s\S]*failing\.suite\.ts:9:\d+/);
  });
});
