import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const INSTRUCTION = /^([A-Z]+) (.*)$/;

/**
 * Does what an engine for containers would do with a Dockerfile, except for the base image and the borders of a container: each stage is a
 * folder, `COPY` copies, `RUN` runs.
 *
 * @param prepare is called with the folder of each stage before anything is copied there
 * @returns the folder of the last stage, and what its container is started with
 */
export function buildImage({ dockerfile, ignored, context, folder, prepare }) {
  const stages = new Map();
  let stage;
  for (const [, name, rest] of readInstructions(dockerfile)) {
    switch (name) {
      case 'FROM': {
        const [, alias = 'final'] = rest.split(' AS ');
        stage = { root: join(folder, alias), place: '', env: {}, user: 'root' };
        mkdirSync(stage.root, { recursive: true });
        prepare(stage.root);
        stages.set(alias, stage);
        break;
      }
      case 'WORKDIR':
        stage.place = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENV': {
        const [variable, value] = rest.split('=');
        stage.env[variable] = value;
        break;
      }
      case 'COPY':
        copy(rest, { stage, stages, context, ignored });
        break;
      case 'RUN':
        runIn(stage, rest);
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'HEALTHCHECK':
        stage.check = JSON.parse(rest.slice(rest.indexOf('[')));
        break;
      case 'CMD':
        stage.command = JSON.parse(rest);
        break;
      case 'EXPOSE':
        break;
      default:
        assert.fail(`The Dockerfile has an instruction that is not tried: ${name}`);
    }
  }
  return { ...stage, folder: join(stage.root, stage.place) };
}

function readInstructions(dockerfile) {
  return dockerfile
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => INSTRUCTION.exec(line) ?? assert.fail(`This is no instruction: ${line}`));
}

function copy(rest, { stage, stages, context, ignored }) {
  const [, from, paths] = /^(?:--from=(\S+) )?(.*)$/.exec(rest);
  const sources = paths.split(' ');
  const target = sources.pop();
  for (const source of sources) {
    if (from === undefined) assert.ok(!ignored.includes(source), `"${source}" is copied, and ignored`);
    const origin = from === undefined ? join(context, source) : join(stages.get(from).root, source);
    assert.ok(existsSync(origin), `"${source}" is copied, and is not there`);
    const place = join(stage.root, stage.place, target);
    cpSync(origin, target.endsWith('/') ? join(place, basename(source)) : place, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function runIn({ root, place, env }, command) {
  console.log(`RUN ${command}`);
  const { status } = spawnSync('sh', ['-c', command], {
    cwd: join(root, place),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  assert.equal(status, 0, `"${command}" fails`);
}
