import type { CommandEntry } from './command.interface.js';

/** Every command of the command line, in the order of the usage. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'doctor',
    usage: 'doctor <url>',
    summary: 'probes a running server as a client would, and names each fault',
    load: async () => (await import('./doctor/doctor.command.js')).doctorCommand,
  },
];
