import { join } from 'node:path';

/** The package, in whose folder the site is made. */
export const ROOT = process.cwd();

/** What holds the configuration of VitePress, and the packages that make the site. */
export const TOOLS = import.meta.dirname;

/** Where all that is made is put. */
export const MADE = join(ROOT, '.build/site');

/** What VitePress reads: the pages of `docs`, the README and the API reference. */
export const PAGES = join(MADE, 'pages');

/** What of them is the API reference. */
export const API = 'api';

/** What the API reference has, as TypeDoc lists it. */
export const API_NAVIGATION = join(MADE, 'api.json');

/** What a web server gives out. */
export const SERVED = join(MADE, 'served');
