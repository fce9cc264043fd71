/**
 * What is loaded from outside of each package: the exports, the command line and the schematics, as compiled files without their ending.
 * Each package has one file for each of them, and what they share.
 */
export const PACKAGES = [
  {
    folder: '.',
    sources: 'lib',
    entries: [
      'index',
      'client/authorization/index',
      'client/module/index',
      'authorization-server/index',
      'gateway/index',
      'controllers/index',
      'redis/index',
      'testing/index',
      'forwarder/main',
      'forwarder/nest-add.schematic',
    ],
  },
  {
    folder: 'cli',
    sources: 'cli',
    entries: [
      'main',
      'bench/bare/bare-server',
      'module/module-analyzer',
      'schematics/init.schematic',
      'schematics/handler.schematic',
    ],
  },
];
