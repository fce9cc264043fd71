import type { Provider } from '@nestjs/common';
import { AppsExtension } from './apps.extension.js';

/** What serves the apps of one server. They come before the announcer of changes, because linking is not a change. */
export const APPS_PROVIDERS: readonly Provider[] = [AppsExtension];
