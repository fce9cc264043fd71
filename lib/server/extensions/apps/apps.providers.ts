import type { Provider } from '@nestjs/common';
import { AppsExtension } from './apps.extension.js';

/** What serves the apps of one server. They come before whatever tells clients of changes: linking is none. */
export const APPS_PROVIDERS: readonly Provider[] = [AppsExtension];
