import { config } from 'zod/v4/core';

// The page runs no code that it makes: to be asked for before the first schema is there.
config({ jitless: true });
