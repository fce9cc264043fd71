import { mkdirSync, rmSync, symlinkSync } from 'node:fs';

/**
 * Programs of the tests are compiled into `.build`, and the modules of `lib` beside the package. This leads from the one to the
 * other, so that such a program may import a module of `lib` by its path as a spec does.
 */
mkdirSync('.build', { recursive: true });
rmSync('.build/lib', { recursive: true, force: true });
symlinkSync('../dist/.modules', '.build/lib', 'dir');
