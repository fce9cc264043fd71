import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';

/**
 * Programs of the tests are compiled into `.build`, and the modules of `lib` beside the package. This leads from the one to the
 * other, so that such a program may import a module of `lib` by its path as a spec does.
 */
const LINK = '.build/lib';
const TARGET = '../dist/.modules';

mkdirSync('.build', { recursive: true });
// A program that starts meanwhile goes by the link.
if (findTarget() !== TARGET) {
  rmSync(LINK, { recursive: true, force: true });
  createLink();
}

/** Another build may make the link first. */
function createLink() {
  try {
    symlinkSync(TARGET, LINK, 'dir');
  } catch (error) {
    if (findTarget() !== TARGET) throw error;
  }
}

function findTarget() {
  try {
    return readlinkSync(LINK);
  } catch {
    return undefined;
  }
}
