/** What of the package is loaded from outside: its exports, its command line and its schematics, as files of `dist` without their ending. */
export const ENTRIES = [
  'index',
  'client/authorization/index',
  'client/module/index',
  'redis/index',
  'testing/index',
  'cli/main',
  'cli/bench/bare/bare-server',
  'cli/module/module-examiner',
  'cli/schematics/init.schematic',
  'cli/schematics/handler.schematic',
];
