const { TestEnvironment } = require('jest-environment-node');

/** Skips what follows the first failure of a spec: it is enough to know that a mutant does not live. */
module.exports = class FirstFailureEnvironment extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
  }
};
