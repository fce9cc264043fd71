import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './layer-table.js';

export interface PlantedTest {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

export interface PlantedSuite {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly PlantedTest[];
}

/** Runs suites that exist for the length of the call only, in one process, as those of the project run; the longest comes first. */
export async function runSuites(files: Record<string, string>): Promise<readonly PlantedSuite[]> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'nestjs-mcp-suites-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(await buildConfig(folder)));
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function buildConfig(folder: string): Promise<object> {
  const { default: jest } = (await import(join(ROOT, 'jest.config.js'))) as {
    default: { projects: object[] };
  };
  const unit = JSON.stringify(jest.projects[0]).replaceAll('<rootDir>', ROOT);
  return {
    ...(JSON.parse(unit) as object),
    rootDir: folder,
    testMatch: ['<rootDir>/**/*.suite.ts'],
  };
}

function run(folder: string): readonly PlantedSuite[] {
  const results = join(folder, 'results.json');
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--no-cache', '--json'];
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest];
  const { stderr } = spawnSync(process.execPath, [...node, '--outputFile', results], {
    cwd: folder,
    encoding: 'utf8',
  });
  try {
    return (JSON.parse(readFileSync(results, 'utf8')) as { testResults: PlantedSuite[] }).testResults;
  } catch (cause) {
    throw new Error(`jest did not run\n${stderr}`, { cause });
  }
}
