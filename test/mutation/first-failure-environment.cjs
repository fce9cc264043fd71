const { TestEnvironment } = require('jest-environment-node');

/** Skips what follows the first failure of a run: it is enough to know that a mutant does not live. */
module.exports = class FirstFailureEnvironment extends TestEnvironment {
  /** Of the run, which is in this process as a whole; who begins one takes it back. */
  static hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') FirstFailureEnvironment.hasFailed = true;
    if (name === 'test_start' && FirstFailureEnvironment.hasFailed) test.mode = 'skip';
  }
};
