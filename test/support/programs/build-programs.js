import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Compiles the library, the samples and the fixture once, for the specs that start them as processes of their own. */
export default function buildPrograms() {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'build:programs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The programs do not compile\n${stdout}${stderr}`);
}
