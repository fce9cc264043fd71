import { config } from 'zod/v4/core';

// The page's policy forbids generated code. This must run before the first schema exists.
config({ jitless: true });
