import { register } from 'node:module';

/** Is imported by a server before anything else, and has it not count what a message is made of. */
register('./uncounted.js', import.meta.url);
